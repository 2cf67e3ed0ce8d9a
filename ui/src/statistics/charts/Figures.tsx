import { memo } from "react";
import type { Preferences, Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import type { Blue } from "../../kit/spine/blue";
import { AuthorsFigure } from "./AuthorsFigure";
import css from "./Figures.module.css";
import { FormatsFigure } from "./FormatsFigure";
import { GenresFigure } from "./GenresFigure";
import { LockedFigure } from "./LockedFigure";
import { MonthsFigure } from "./MonthsFigure";

const TITLES = {
  months: "Words per Month",
  genres: "Genre Distribution",
  authors: "Top Authors by Words",
  formats: "Words by Format",
} as const;

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
        <LockedFigure className={css.authors} chart="authors" />
      )}
      {formats ? (
        <FormatsFigure className={css.formats} formats={formats} low={low} />
      ) : (
        <LockedFigure className={css.formats} chart="formats" />
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
