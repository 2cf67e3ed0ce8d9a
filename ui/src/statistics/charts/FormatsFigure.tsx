import { useMemo, useState } from "react";
import type { Stats } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { verticalBarsHeight } from "../../kit/charts/height";
import { VerticalBars } from "../../kit/charts/LazyCharts";
import { counted, duration, percent, whole } from "../../kit/format";
import { formatBlue } from "../../kit/spine/blue";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { Drawing, type FigureProps, NO_WORDS } from "./figure";

type Formats = NonNullable<Stats["formats"]>;
type Measure = "words" | "books" | "minutes";

const TITLES: Record<Measure, string> = {
  words: "Words by Format",
  books: "Books by Format",
  minutes: "Hours by Format",
};

/** The format with the most of a measure, and its share. */
function noteOf(points: readonly { name: string; value: number }[]): string {
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const first = points.reduce((most, point) => (point.value > most.value ? point : most), { name: "", value: 0 });
  if (total === 0) return NO_WORDS;
  if (first.value === total) return `All of it in ${first.name}.`;
  return `${first.name} leads with ${percent(first.value, total)}.`;
}

/** Words by format, most first; with lengths of audiobooks also books and hours. */
export function FormatsFigure({ formats, low, className }: FigureProps & { formats: Formats }) {
  const [chosen, setMeasure] = useState<Measure>("words");
  const hasHours = formats.some(({ minutes }) => minutes > 0);
  const measure = hasHours ? chosen : "words";
  const points = useMemo(
    () =>
      formats.map(({ format, ...sums }) => {
        const value = sums[measure];
        const text = { words: counted(value, "word"), books: counted(value, "book"), minutes: duration(value) }[
          measure
        ];
        const words = measure === "minutes" ? Math.round(value / 60) : value;
        return { name: format, value, words, text, blue: formatBlue(format) };
      }),
    [formats, measure],
  );
  return (
    <ChartFrame
      title={TITLES[measure]}
      className={className}
      low={low}
      state={points.length === 0 ? "empty" : "ready"}
      note={points.length > 0 && noteOf(points)}
      actions={
        hasHours && (
          <SegmentedControl
            label="Measure formats by"
            options={[
              { value: "words", label: "Words" },
              { value: "books", label: "Books" },
              { value: "minutes", label: "Hours" },
            ]}
            value={measure}
            onChoose={setMeasure}
          />
        )
      }
      table={{
        caption: "Words by format",
        head: ["Format", "Words", "Books", ...(hasHours ? ["Length"] : [])],
        rows: formats.map(({ format, words, books, minutes }) => [
          format,
          whole(words),
          whole(books),
          ...(hasHours ? [duration(minutes)] : []),
        ]),
      }}
      atFoot
    >
      <Drawing heightAt={verticalBarsHeight}>
        <VerticalBars points={points} />
      </Drawing>
    </ChartFrame>
  );
}
