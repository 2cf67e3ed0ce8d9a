import { ChartFrame } from "../kit/charts/ChartFrame";
import { useWidth } from "../kit/charts/useWidth";
import { longMonth, short, whole } from "../kit/format";
import { SAMPLE_BOOKS } from "../kit/spine/sample";
import css from "./SampleCharts.module.css";

/*
 * Two of the dashboard's charts as plain drawings. The dashboard's own charts need a plotting library, which is larger
 * than this whole page.
 */

/** The sample's words by a name of each book, in the order of first occurrence. */
function wordsBy(nameOf: (book: (typeof SAMPLE_BOOKS)[number]) => string) {
  const words = new Map<string, number>();
  for (const book of SAMPLE_BOOKS) words.set(nameOf(book), (words.get(nameOf(book)) ?? 0) + book.wordCount);
  return [...words].map(([name, sum]) => ({ name, words: sum }));
}

const MONTHS = wordsBy((book) => book.date?.slice(0, 7) ?? "");
const MEAN = Math.round(MONTHS.reduce((sum, { words }) => sum + words, 0) / MONTHS.length);
const MOST = MONTHS.reduce((most, month) => (month.words > most.words ? month : most));
const AUTHORS = wordsBy((book) => book.author)
  .sort((a, b) => b.words - a.words)
  .slice(0, 5);
const MOST_OF_AN_AUTHOR = AUTHORS[0]?.words ?? 1;

/** Marks of the vertical axis, in words; the last is the chart's upper edge. */
const MARKS = [200_000, 400_000, 600_000];
const UPPER = 600_000;
/** Room around the plot in px. */
const LEFT = 44;
const TOP = 24;
const BELOW = 26;
const RIGHT = 8;
/** Minimum distance of two labels below the axis, in px. */
const LABEL = 74;

export function SampleCharts() {
  return (
    <div className={css.charts}>
      <ChartFrame
        title="Words per Month"
        state="ready"
        note={`Most in ${longMonth(MOST.name)}. The dashed line is the mean, ${short(MEAN)} a month.`}
        table={{
          caption: "Words per month",
          head: ["Month", "Words"],
          rows: MONTHS.map(({ name, words }) => [name, whole(words)]),
        }}
      >
        <Months />
      </ChartFrame>
      <ChartFrame
        title="Top Authors by Words"
        state="ready"
        table={{
          caption: "Top authors by words",
          head: ["Author", "Words"],
          rows: AUTHORS.map(({ name, words }) => [name, whole(words)]),
        }}
      >
        <Authors />
      </ChartFrame>
    </div>
  );
}

function Months() {
  const [stage, width] = useWidth<HTMLDivElement>();
  const height = width < 480 ? 232 : 348;
  const base = height - BELOW;
  const across = (i: number) => Math.round(LEFT + (i / (MONTHS.length - 1)) * (width - LEFT - RIGHT));
  const down = (words: number) => Math.round(base - (words / UPPER) * (base - TOP));
  const line = MONTHS.map(({ words }, i) => `${across(i)} ${down(words)}`).join("L");
  const last = MONTHS.length - 1;
  const every = Math.ceil(MONTHS.length / Math.max(2, Math.floor((width - LEFT - RIGHT) / LABEL)));
  const peak = MONTHS.indexOf(MOST);
  return (
    <div ref={stage} className={css.stage}>
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
          <path className={css.area} d={`M${across(0)} ${base}L${line}L${across(last)} ${base}Z`} />
          {[0, ...MARKS].map((words) => (
            <text key={words} className={css.axis} x="0" y={down(words) + 4}>
              {words === 0 ? "0" : `${words / 1_000}K`}
            </text>
          ))}
          {MARKS.map((words) => (
            <path key={words} className={css.grid} d={`M${LEFT} ${down(words)}H${width - RIGHT}`} />
          ))}
          <path className={css.mean} d={`M${LEFT} ${down(MEAN)}H${width - RIGHT}`} />
          <path className={css.line} d={`M${line}`} />
          <path className={css.base} d={`M${LEFT - 8} ${base + 0.5}H${width}`} />
          {MONTHS.map(({ name }, i) => {
            const labelled = (last - i) % every === 0;
            return (
              <g key={name}>
                <path className={css.base} d={`M${across(i)} ${base}v${labelled ? 6 : 3}`} />
                {labelled && (
                  <text
                    className={css.axis}
                    x={i === last ? width : across(i)}
                    y={height - 5}
                    textAnchor={i === last ? "end" : "middle"}
                  >
                    {name}
                  </text>
                )}
              </g>
            );
          })}
          <circle className={css.point} cx={across(peak)} cy={down(MOST.words)} r="4" />
          <text className={css.peak} x={across(peak) + 6} y={down(MOST.words) - 10} textAnchor="end">
            {short(MOST.words)}
          </text>
          <circle className={css.point} cx={across(last)} cy={down(MONTHS[last]?.words ?? 0)} r="4" />
        </svg>
      )}
    </div>
  );
}

function Authors() {
  return (
    <div className={css.authors} aria-hidden="true">
      {AUTHORS.map(({ name, words }) => (
        <div key={name} className={css.author}>
          <span className={css.name}>{name}</span>
          <span className={css.track}>
            <svg className={css.bar} aria-hidden="true" focusable="false">
              <rect width={`${(100 * words) / MOST_OF_AN_AUTHOR}%`} height="100%" rx="1.5" />
            </svg>
          </span>
          <span className={css.words}>{short(words)}</span>
        </div>
      ))}
    </div>
  );
}
