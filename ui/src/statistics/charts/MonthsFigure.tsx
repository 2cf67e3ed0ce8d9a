import { useMemo, useState } from "react";
import type { Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { lineChartHeight } from "../../kit/charts/height";
import { LineChart } from "../../kit/charts/LazyCharts";
import { longMonth, short, whole } from "../../kit/format";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { Drawing, type FigureProps, NO_WORDS } from "./figure";
import { byYear, isLong } from "./years";

/** Words per month as a line, with the highest month and the mean named above it; by year when there are many months. */
export function MonthsFigure({ months, low, className }: FigureProps & { months: Stats["monthlyWords"] }) {
  const [chosen, setChosen] = useState<"months" | "years" | null>(null);
  const long = isLong(months);
  const unit = long ? (chosen ?? "years") : "months";
  const points = useMemo(
    () =>
      unit === "years"
        ? byYear(months)
        : months.map(({ month, words, aboutWords = 0 }) => ({ name: month, words, about: aboutWords })),
    [months, unit],
  );
  const peak = points.reduce((most, point) => (point.words > most.words ? point : most), points[0] ?? NOTHING);
  const mean = points.reduce((sum, { words }) => sum + words, 0) / Math.max(1, points.length);
  const hasRough = months.some(({ aboutWords }) => aboutWords > 0);
  return (
    <ChartFrame
      title="Words per Month"
      className={className}
      low={low}
      state={points.length === 0 ? "empty" : "ready"}
      note={[
        mean > 0
          ? `Most in ${unit === "years" ? peak.name : longMonth(peak.name)}. The dashed line is the mean, ${short(Math.round(mean))} a ${unit.slice(0, -1)}.`
          : !hasRough && NO_WORDS,
        hasRough && "The pale band is of books without an exact day.",
      ]
        .filter(Boolean)
        .join(" ")}
      actions={
        long && (
          <SegmentedControl
            label="Words by"
            options={[
              { value: "years", label: "Years" },
              { value: "months", label: "Months" },
            ]}
            value={unit}
            onChoose={setChosen}
          />
        )
      }
      table={{
        caption: "Words per month",
        head: ["Month", "Words", "Books", ...(hasRough ? ["About"] : [])],
        // A library of decades has hundreds of months in which nothing was read.
        rows: months
          .filter(({ words, books, aboutWords }) => words + books + aboutWords > 0)
          .map(({ month, words, books, aboutWords }) => [
            month,
            whole(words),
            whole(books),
            ...(hasRough ? [whole(aboutWords)] : []),
          ]),
      }}
      atFoot
    >
      <Drawing heightAt={lineChartHeight}>
        <LineChart points={points} />
      </Drawing>
    </ChartFrame>
  );
}

const NOTHING = { name: "", words: 0 };
