import { useMemo } from "react";
import type { Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { VerticalBars } from "../../kit/charts/LazyCharts";
import { percent, whole } from "../../kit/format";
import { formatBlue } from "../../kit/spine/blue";
import { Drawing, type FigureProps, NO_WORDS } from "./figure";

type Formats = NonNullable<Stats["formats"]>;

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
      note={first && (total > 0 ? `${first.name} leads with ${percent(first.words, total)}.` : NO_WORDS)}
      table={{
        caption: "Words by format",
        head: ["Format", "Words", "Books"],
        rows: formats.map(({ format, words, books }) => [format, whole(words), whole(books)]),
      }}
      atFoot
    >
      <Drawing>
        <VerticalBars points={points} />
      </Drawing>
    </ChartFrame>
  );
}
