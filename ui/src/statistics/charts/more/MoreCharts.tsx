import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memo, useMemo, useState } from "react";
import { Bars } from "../../../kit/charts/Bars";
import { ChartFrame } from "../../../kit/charts/ChartFrame";
import { horizontalBarsHeight, LOW } from "../../../kit/charts/height";
import { HorizontalBars, Trend } from "../../../kit/charts/LazyCharts";
import type { TrendPoint } from "../../../kit/charts/uplot";
import { Swatch } from "../../../kit/spine/Swatch";
import { Button } from "../../../kit/ui/Button";
import { Fetched } from "../../../kit/ui/Fetched";
import { Select } from "../../../kit/ui/Field";
import { useStepFocus } from "../../../kit/ui/useStepFocus";
import type { BooksQuery } from "../../../library/books/list";
import { readingStatsQuery } from "../../api";
import { Drawing } from "../figure";
import css from "./MoreCharts.module.css";
import {
  type Figure,
  languagesFigure,
  lengthFigure,
  outcomesFigure,
  paceFigure,
  periodsOf,
  publishedFigure,
  ratingsFigure,
} from "./model";

interface MoreChartsProps {
  /** The dashboard's filter. */
  query: BooksQuery;
}

/** Six more charts under the dashboard's filter, of one period or of two years beside each other. */
export const MoreCharts = memo(function MoreCharts({ query }: MoreChartsProps) {
  const [compared, setCompared] = useState<readonly [string, string] | null>(null);
  const whole = useQuery({ ...readingStatsQuery(query), placeholderData: keepPreviousData });
  const years = useMemo(
    () =>
      (whole.data && "outcomes" in whole.data ? whole.data.outcomes : [])
        .map(({ year }) => String(year))
        .sort()
        .reverse(),
    [whole.data],
  );
  const [newest, before] = years;
  // The filter may leave a year out that was chosen.
  const pair = compared?.every((year) => years.includes(year)) ? compared : null;
  const two = useQuery({
    ...readingStatsQuery(query, pair?.join("..")),
    enabled: pair !== null,
    placeholderData: keepPreviousData,
  });
  // The button that was pressed goes.
  const compare = useStepFocus<HTMLDivElement>(pair ? "two" : "one", { onlyIfLost: true });
  return (
    <>
      <div className={css.compare} ref={compare} tabIndex={-1}>
        {pair ? (
          <Compared years={years} compared={pair} onCompare={setCompared} />
        ) : (
          newest &&
          before && (
            <Button size="compact" onClick={() => setCompared([newest, before])}>
              Compare two years
            </Button>
          )
        )}
      </div>
      <Fetched query={pair ? two : whole} waiting="Counting" failed="The charts could not be loaded.">
        {(stats) => {
          const periods = periodsOf(stats);
          const [pace, ratings] = [paceFigure(periods), ratingsFigure(periods)];
          const [length, published] = [lengthFigure(periods), publishedFigure(periods)];
          const [languages, outcomes] = [languagesFigure(periods), outcomesFigure(periods)];
          return (
            <div className={css.figures}>
              <Framed figure={pace}>
                <Drawing heightAt={() => LOW}>
                  <Trend points={pace.drawn} />
                </Drawing>
              </Framed>
              <Framed figure={length}>
                <Bars bars={length.drawn} />
              </Framed>
              <Framed figure={published}>
                <Bars bars={published.drawn} />
              </Framed>
              <Framed figure={languages} atFoot={false}>
                <Drawing heightAt={(width) => horizontalBarsHeight(width, languages.drawn.length)}>
                  <HorizontalBars points={languages.drawn} />
                </Drawing>
              </Framed>
              <Framed figure={ratings}>
                <Drawing heightAt={() => LOW}>
                  <Trend points={ratings.drawn} range={[lowestRating(ratings.drawn), 10]} />
                </Drawing>
              </Framed>
              <Framed figure={outcomes}>
                <Bars bars={outcomes.drawn} />
              </Framed>
            </div>
          );
        }}
      </Fetched>
    </>
  );
});

/** The foot of the axis of ratings: averages below 5 are rare. */
const lowestRating = (points: readonly TrendPoint[]) =>
  Math.min(5, ...points.map(({ value }) => Math.floor(value ?? 5)));

interface FramedProps {
  figure: Figure<unknown>;
  atFoot?: boolean;
  children: React.ReactNode;
}

function Framed({ figure: { title, note, table, drawn }, atFoot = true, children }: FramedProps) {
  return (
    <ChartFrame
      title={title}
      state={drawn.length === 0 ? "empty" : "ready"}
      note={note}
      table={table}
      tableButton
      atFoot={atFoot}
    >
      {children}
    </ChartFrame>
  );
}

interface ComparedProps {
  /** The years that can be chosen, newest first. */
  years: readonly string[];
  compared: readonly [string, string];
  onCompare: (compared: readonly [string, string] | null) => void;
}

function Compared({ years, compared: [one, other], onCompare }: ComparedProps) {
  const without = (chosen: string) =>
    years.filter((year) => year !== chosen).map((year) => ({ value: year, label: year }));
  return (
    <>
      <Swatch blue={1} />
      <Select
        aria-label="First year"
        className={css.year}
        options={without(other)}
        value={one}
        onChoose={(year) => onCompare([year, other])}
      />
      <span className="aside-text">and</span>
      <Swatch blue={2} />
      <Select
        aria-label="Second year"
        className={css.year}
        options={without(one)}
        value={other}
        onChoose={(year) => onCompare([one, year])}
      />
      <Button variant="quiet" size="compact" onClick={() => onCompare(null)}>
        Stop comparing
      </Button>
    </>
  );
}
