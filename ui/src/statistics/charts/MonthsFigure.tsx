import { useMemo } from "react";
import type { Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { LineChart } from "../../kit/charts/LazyCharts";
import { longMonth, short, whole } from "../../kit/format";
import { Drawing, type FigureProps, NO_WORDS } from "./figure";

/** Words per month as a line, with the highest month and the mean named above it. */
export function MonthsFigure({ months, low, className }: FigureProps & { months: Stats["monthlyWords"] }) {
  const points = useMemo(() => months.map(({ month, words }) => ({ name: month, words })), [months]);
  const peak = points.reduce((most, point) => (point.words > most.words ? point : most), points[0] ?? NOTHING);
  const mean = points.reduce((sum, { words }) => sum + words, 0) / Math.max(1, points.length);
  return (
    <ChartFrame
      title="Words per Month"
      className={className}
      low={low}
      state={points.length === 0 ? "empty" : "ready"}
      note={
        mean > 0
          ? `Most in ${longMonth(peak.name)}. The dashed line is the mean, ${short(Math.round(mean))} a month.`
          : NO_WORDS
      }
      table={{
        caption: "Words per month",
        head: ["Month", "Words", "Books"],
        rows: months.map(({ month, words, books }) => [month, whole(words), whole(books)]),
      }}
      atFoot
    >
      <Drawing>
        <LineChart points={points} />
      </Drawing>
    </ChartFrame>
  );
}

const NOTHING = { name: "", words: 0 };
