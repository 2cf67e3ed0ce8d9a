import { useMemo, useState } from "react";
import type { Tally } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { horizontalBarsHeight } from "../../kit/charts/height";
import { HorizontalBars } from "../../kit/charts/LazyCharts";
import { whole } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { Drawing, type FigureProps } from "./figure";

/** The number of bars at first, and with Show All: the API returns at most 50 authors. */
const FIRST = 10;
const ALL = 50;

interface AuthorsFigureProps extends FigureProps {
  authors: readonly Tally[];
  /** The number of authors in all. */
  count: number;
}

/** How many of the authors are shown; nothing for a single one. */
function noteOf(shown: number, count: number): string | undefined {
  if (count <= 1) return undefined;
  return shown === count ? `All ${whole(count)}.` : `The first ${shown} of ${whole(count)}.`;
}

/** The authors with the most words. */
export function AuthorsFigure({ authors, count, low, className }: AuthorsFigureProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => authors.slice(0, showsAll ? ALL : FIRST), [authors, showsAll]);
  return (
    <ChartFrame
      title="Top Authors by Words"
      className={className}
      low={low}
      state={authors.length === 0 ? "empty" : "ready"}
      note={noteOf(shown.length, count)}
      actions={
        authors.length > FIRST && (
          <Button size="compact" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
            Show All
          </Button>
        )
      }
      table={{
        caption: "Top authors by words",
        head: ["Author", "Words", "Books"],
        rows: shown.map(({ name, words, books }) => [name, whole(words), whole(books)]),
      }}
    >
      <Drawing heightAt={(width) => horizontalBarsHeight(width, shown.length)}>
        <HorizontalBars points={shown} />
      </Drawing>
    </ChartFrame>
  );
}
