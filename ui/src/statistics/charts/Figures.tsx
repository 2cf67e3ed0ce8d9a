import { lazy, memo, Suspense } from "react";
import type { Preferences, Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import type { Blue } from "../../kit/spine/blue";
import { AuthorsFigure } from "./AuthorsFigure";
import css from "./Figures.module.css";
import { FormatsFigure } from "./FormatsFigure";
import { GenresFigure } from "./GenresFigure";
import { MonthsFigure } from "./MonthsFigure";

// Only readers whose plan lacks a chart need it.
const LockedFigure = lazy(() => import("./LockedFigure").then((module) => ({ default: module.LockedFigure })));

const TITLES = {
  months: "Words per Month",
  genres: "Genre Distribution",
  authors: "Top Authors by Words",
  formats: "Words by Format",
} as const;

/** A chart that the plan lacks. Its place is reserved while its code is loading. */
function Locked(props: { chart: "authors" | "formats"; className: string | undefined }) {
  const { chart, className } = props;
  return (
    <Suspense fallback={<ChartFrame className={className} title={TITLES[chart]} state="loading" />}>
      <LockedFigure {...props} />
    </Suspense>
  );
}

interface FiguresProps {
  stats: Stats;
  blueOf: (genre: string) => Blue;
  usualMeasure: Preferences["defaultStatsView"];
}

/** The four charts. One that the plan lacks says what it would show. */
export const Figures = memo(function Figures({ stats, blueOf, usualMeasure }: FiguresProps) {
  const { monthlyWords, genres, authors, formats, kpis } = stats;
  const low = kpis.booksRead === 0;
  return (
    <div className={css.figures}>
      <MonthsFigure className={css.months} months={monthlyWords} low={low} />
      <GenresFigure className={css.genres} genres={genres} blueOf={blueOf} usual={usualMeasure} low={low} />
      {authors ? (
        <AuthorsFigure className={css.authors} authors={authors} count={kpis.authors} low={low} />
      ) : (
        <Locked className={css.authors} chart="authors" />
      )}
      {formats ? (
        <FormatsFigure className={css.formats} formats={formats} low={low} />
      ) : (
        <Locked className={css.formats} chart="formats" />
      )}
    </div>
  );
});

/** The four charts before there is anything to draw. */
export function FiguresWithout({ state }: { state: "loading" | "empty" }) {
  return (
    <div className={css.figures}>
      {Object.entries(TITLES).map(([name, title]) => (
        <ChartFrame key={name} className={css[name]} title={title} state={state} />
      ))}
    </div>
  );
}
