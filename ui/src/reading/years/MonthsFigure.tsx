import type { Review } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { useWidth } from "../../kit/charts/useWidth";
import { short, whole } from "../../kit/format";
import { bestMonth, differenceSentences, isComing, periodTitle } from "./model";
import css from "./Years.module.css";

const HEIGHT = 250;
/** Room above the bars for their figures, and below them for the names of months, in px. */
const HEAD = 22;
const FOOT = 26;
const WIDEST = 56;
/** A month narrower than this in px has no figure, and one narrower than the second has only the initial of its name. */
const FIGURE_FROM = 44;
const NAME_FROM = 34;

interface MonthsFigureProps {
  review: Review;
  /** The year before, which stands behind in outline. */
  before: Review | undefined;
  today: string;
}

/** The words of each month of a year, as in Words per Month. */
export function MonthsFigure({ review, before, today }: MonthsFigureProps) {
  const { months, period } = review;
  const [place, width] = useWidth<HTMLDivElement>();
  const isAbout = months.some(({ aboutWords }) => aboutWords > 0);
  const behind = before?.months.some(({ words }) => words > 0) ? before : undefined;
  const notes = [
    bestMonth(months),
    isAbout
      ? "The pale part belongs to books whose day is not known. It is spread evenly, and counted in no month."
      : "",
    ...differenceSentences(review),
  ];
  return (
    <ChartFrame
      title="Month by month"
      className={css.eight}
      state="ready"
      note={notes.filter(Boolean).join(" ")}
      table={{
        caption: `Words by month of ${period}`,
        head: ["Month", "Words", "About", "Books", "Year before"],
        rows: months.map(({ month, words, aboutWords, books }, i) => [
          periodTitle(month),
          whole(words),
          whole(aboutWords),
          whole(books),
          behind ? whole(behind.months[i]?.words ?? 0) : "-",
        ]),
      }}
    >
      <div ref={place} className={css.bars} style={{ height: HEIGHT }}>
        {width > 0 && <Bars months={months} before={behind?.months} width={width} today={today} />}
      </div>
      <ul className={css.key}>
        <li>
          <i data-key="now" />
          {period}
        </li>
        {behind && (
          <li>
            <i data-key="before" />
            {periodTitle(behind.period)}
          </li>
        )}
        {isAbout && (
          <li>
            <i data-key="about" />
            about
          </li>
        )}
      </ul>
    </ChartFrame>
  );
}

interface BarsProps {
  months: Review["months"];
  before: Review["months"] | undefined;
  width: number;
  today: string;
}

function Bars({ months, before, width, today }: BarsProps) {
  const room = HEIGHT - HEAD - FOOT;
  const base = HEAD + room;
  const most = Math.max(
    1,
    ...months.map(({ words, aboutWords }) => words + aboutWords),
    ...(before ?? []).map(({ words }) => words),
  );
  const slot = width / months.length;
  const bar = Math.min(WIDEST, slot * 0.58);
  const high = (words: number) => (words / most) * room;
  return (
    <svg className={css.drawing} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {months.map(({ month, words, aboutWords }, i) => {
        const x = slot * i + (slot - bar) / 2;
        const middle = x + bar / 2;
        const earlier = before?.[i]?.words ?? 0;
        const inside = aboutWords > 0 && high(words) > 24;
        const [name = ""] = periodTitle(month).split(" ");
        return (
          <g key={month}>
            {earlier > 0 && (
              <rect
                className={css.outline}
                x={(x - 3.5).toFixed(1)}
                y={(base - high(earlier)).toFixed(1)}
                width={(bar + 7).toFixed(1)}
                height={high(earlier).toFixed(1)}
                rx="1"
              />
            )}
            {aboutWords > 0 && (
              <rect
                className={css.about}
                x={(x + 0.5).toFixed(1)}
                y={(base - high(words + aboutWords)).toFixed(1)}
                width={(bar - 1).toFixed(1)}
                height={high(aboutWords).toFixed(1)}
              />
            )}
            {words > 0 && (
              <rect
                className="d1"
                x={x.toFixed(1)}
                y={(base - Math.max(1.5, high(words))).toFixed(1)}
                width={bar.toFixed(1)}
                height={Math.max(1.5, high(words)).toFixed(1)}
                rx="1"
              />
            )}
            {words > 0 && slot > FIGURE_FROM && (
              <text
                className={css.figure}
                data-inside={inside || undefined}
                x={middle.toFixed(1)}
                y={(inside ? base - high(words) + 16 : base - high(words + aboutWords) - 7).toFixed(1)}
              >
                {rounded(words)}
              </text>
            )}
            <text
              className={css.monthName}
              data-coming={isComing(month, today) || undefined}
              x={middle.toFixed(1)}
              y={HEIGHT - 7}
            >
              {slot > NAME_FROM ? name.slice(0, 3) : name.slice(0, 1)}
            </text>
          </g>
        );
      })}
      <rect className={css.board} y={base} width={width} height="3" />
    </svg>
  );
}

/** Whole thousands without a decimal: `597K`. */
function rounded(words: number): string {
  return words < 1_000 || words >= 1_000_000 ? short(words) : `${Math.min(999, Math.round(words / 1_000))}K`;
}
