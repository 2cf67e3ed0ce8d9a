import type { ShelfBook } from "../api/types";
import { useFontsReady } from "./measure";
import { Spine } from "./Spine";
import css from "./SpineRun.module.css";
import { sampleBlue } from "./sample";
import { heightOf } from "./size";

interface SpineRunProps {
  books: readonly ShelfBook[];
  /** The drawing's own size in px, before it is scaled to its container. */
  width: number;
  /** Height of a spine with the best rating. */
  height: number;
  /** px per 1,000 words. */
  scale: number;
  /** Room above the tallest spine, for ribbons. */
  pad?: number;
  align?: "left" | "right";
  /** Fills its container and is cut off at the far side, instead of shrinking. */
  slice?: boolean;
  /** The maximum number of books. */
  most?: number;
}

interface Standing {
  book: ShelfBook;
  x: number;
  width: number;
  height: number;
}

const GAP = 2;
const THINNEST = 8;

/** The books that fit, side by side. */
function stand({ books, width, height, scale, most }: SpineRunProps): { standing: Standing[]; end: number } {
  const standing: Standing[] = [];
  let end = 0;
  for (const book of books.slice(0, most)) {
    const thickness = Math.max(THINNEST, (book.wordCount / 1000) * scale);
    if (end + thickness > width + 1) break;
    standing.push({ book, x: end, width: thickness, height: height * heightOf(book.rating, 0.85) });
    end += thickness + GAP;
  }
  return { standing, end: end - GAP };
}

/**
 * A row of spines that stands on the element below. It shows the sample books, is decorative, and is hidden from screen
 * readers.
 */
export function SpineRun(props: SpineRunProps) {
  const { width, height, pad = 10, align = "left", slice } = props;
  const fontsReady = useFontsReady();
  const { standing, end } = stand(props);
  const shift = align === "right" ? width - end : 0;
  return (
    <svg
      className={css.run}
      viewBox={`0 0 ${width} ${pad + height}`}
      preserveAspectRatio={`${align === "right" ? "xMax" : "xMin"}YMax ${slice ? "slice" : "meet"}`}
      aria-hidden="true"
      focusable="false"
    >
      {standing.map((one) => (
        <Spine
          key={one.book.id}
          book={one.book}
          x={one.x + shift}
          y={pad + height - one.height}
          width={one.width}
          height={one.height}
          blue={sampleBlue(one.book.genres[0])}
          fontsReady={fontsReady}
        />
      ))}
    </svg>
  );
}
