import { useWidth } from "../kit/charts/useWidth";
import { SAMPLE_YEAR, sampleBlue } from "../kit/spine/sample";
import { heightOf } from "../kit/spine/size";
import { Button } from "../kit/ui/Button";
import { Input } from "../kit/ui/Field";
import css from "./SampleReading.module.css";

const PAGES = 415;
const REACHED = 212;
/** The places of former days, as parts of the book. */
const NOTED = [0.09, 0.15, 0.27, 0.4, 0.46];
const STEPS = [5, 10, 20, 30];

/** An open book with its place, and the ways to note the next one. Nothing in it can be used. */
export function SamplePlace() {
  return (
    <div className={css.book} inert>
      <p className={css.title}>Trust</p>
      <p className={css.small}>Hernan Diaz</p>
      <p className={css.small}>
        Page {REACHED} of {PAGES}
      </p>
      <svg className={css.ruler} viewBox={`0 0 ${PAGES} 18`} preserveAspectRatio="none" aria-hidden="true">
        <rect className={css.rest} x="0" y="0" width={PAGES} height="12" />
        <rect className={css.read} x="0" y="0" width={REACHED} height="12" />
        <rect className={css.board} x="0" y="12" width={PAGES} height="2" />
        {NOTED.map((at) => (
          <rect key={at} className={css.tick} x={at * PAGES} y="14" width="0.7" height="4" />
        ))}
      </svg>
      <p className={css.italic}>{PAGES - REACHED} pages left: done around Nov 27 at this pace.</p>
      <div className={css.note}>
        <Input aria-label="Page" value={REACHED} suffix={`of ${PAGES}`} readOnly />
        <Button variant="primary">Note</Button>
      </div>
      <div className={css.steps}>
        {STEPS.map((step) => (
          <Button key={step} size="compact">
            +{step}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** How much was read on the days of four weeks: 0 for nothing, 4 for the most. */
const WEEKS = ["0204132", "1304010", "2231042", "0142300"];
/** The distance of two days, and of two weeks, in px. */
const DAY = 22;
const WEEK = 28;
/** A day's height for each level, in px. */
const STEP = 5;

/** The days of a month as small spines, and a goal of the year. */
export function SampleDays() {
  return (
    <div className={css.days}>
      <svg width={7 * DAY} height={WEEKS.length * WEEK} aria-hidden="true" focusable="false">
        {WEEKS.map((week, at) => (
          <g key={week} transform={`translate(0 ${(at + 1) * WEEK})`}>
            <rect className={css.tick} y="-1" width={7 * DAY} height="1" />
            {[...week].map((level, day) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a week has its days in one order
                key={day}
                className={css.day}
                data-level={level}
                x={day * DAY + 5}
                y={-1 - Number(level) * STEP}
                width={DAY - 10}
                height={Number(level) * STEP}
              />
            ))}
          </g>
        ))}
      </svg>
      <SampleGoal />
    </div>
  );
}

const TARGET = 40;
const HIGH = 48;

function SampleGoal() {
  const [box, width] = useWidth<HTMLDivElement>();
  const each = width / (TARGET * 1.03);
  return (
    <div className={css.goal}>
      <p className={css.number}>
        <b>{SAMPLE_YEAR.length}</b> of {TARGET}
      </p>
      <p className={css.italic}>3 books behind schedule. 8 left in 43 days, one every 5 days.</p>
      <div className={css.line} ref={box}>
        {width > 0 && (
          <svg width={width} height={HIGH + 6} aria-hidden="true" focusable="false">
            {SAMPLE_YEAR.map((book, at) => {
              const height = HIGH * heightOf(book.rating);
              return (
                <rect
                  key={book.id}
                  x={at * each}
                  y={HIGH - height}
                  width={each - 1}
                  height={height}
                  fill={`var(--data-${sampleBlue(book.genres[0])})`}
                />
              );
            })}
            <rect className={css.board} y={HIGH} width={width} height="4" />
            <rect className={css.board} x={TARGET * each} width="2" height={HIGH + 6} />
          </svg>
        )}
      </div>
    </div>
  );
}
