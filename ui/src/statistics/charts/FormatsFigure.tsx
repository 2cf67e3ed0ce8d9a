import { useMemo } from "react";
import type { Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { verticalBarsHeight } from "../../kit/charts/height";
import { VerticalBars } from "../../kit/charts/LazyCharts";
import { percent, whole } from "../../kit/format";
import { formatBlue } from "../../kit/spine/blue";
import { Drawing, type FigureProps, NO_WORDS } from "./figure";

type Formats = NonNullable<Stats["formats"]>;

/** The format with the most words, and its share. */
function noteOf({ name, words }: { name: string; words: number }, total: number): string {
  if (total === 0) return NO_WORDS;
  return words === total ? `All of it in ${name}.` : `${name} leads with ${percent(words, total)}.`;
}

/** Words by format, most first. */
export function FormatsFigure({ formats, low, className }: FigureProps & { formats: Formats }) {
  const points = useMemo(
    () => formats.map(({ format, words }) => ({ name: format, words, blue: formatBlue(format) })),
    [formats],
  );
  const total = points.reduce((sum, { words }) => sum + words, 0);
  const first = points[0];
  return (
    <ChartFrame
      title="Words by Format"
      className={className}
      low={low}
      state={points.length === 0 ? "empty" : "ready"}
      note={first && noteOf(first, total)}
      table={{
        caption: "Words by format",
        head: ["Format", "Words", "Books"],
        rows: formats.map(({ format, words, books }) => [format, whole(words), whole(books)]),
      }}
      atFoot
    >
      <Drawing heightAt={verticalBarsHeight}>
        <VerticalBars points={points} />
      </Drawing>
    </ChartFrame>
  );
}
