import type { PreviewBook } from "../../kit/api/types";
import type { SpineBook } from "../../kit/spine/lettering";
import { useFontsReady } from "../../kit/spine/measure";
import { bluesByRank } from "../../kit/spine/rank";
import { Spine } from "../../kit/spine/Spine";
import { heightOf } from "../../kit/spine/size";
import css from "./ProgressShelf.module.css";

/** px from the top to the board, and height of the tallest spine. */
const BOARD = 70;
const TALLEST = 64;
const GAP = 2;
/** px per 1,000 words, and the limits of a spine's thickness. */
const SCALE = 0.128;
const THINNEST = 8;
const THICKEST = 44;

/** The labels of the ruler. */
const LABELS = ["0", "25", "50", "75", "100%"];

interface Standing {
  book: SpineBook & { genres: readonly string[] };
  x: number;
  width: number;
  height: number;
}

/** Placeholder books for a file that has only items of the TBR list, or nothing new. */
const PLAIN = [60, 150, 95, 210, 75, 120, 180, 90].map((thousands, i) => ({
  title: "",
  author: "",
  wordCount: thousands * 1_000,
  rating: [8, 10, 6, 9, 7, 9, 5, 8][i] ?? 8,
  format: "Print" as const,
  reread: false,
  genres: [],
}));

/** The books side by side over the whole width, repeated when there are too few. */
function stand(books: readonly PreviewBook[], width: number): Standing[] {
  const source = books.length > 0 ? books : PLAIN;
  const standing: Standing[] = [];
  let x = 0;
  for (let i = 0; ; i += 1) {
    const book = source[i % source.length];
    if (!book) return standing;
    const thickness = Math.min(THICKEST, Math.max(THINNEST, (book.wordCount / 1_000) * SCALE));
    if (x + thickness > width) return standing;
    standing.push({ book, x, width: thickness, height: TALLEST * heightOf(book.rating, 0.85) });
    x += thickness + GAP;
  }
}

interface ProgressShelfProps {
  /** 0 to 1. */
  part: number;
  width: number;
  books: readonly PreviewBook[];
}

/** The file's first books on a board: spines are solid for the part that is done, and dashed for the rest. Decorative. */
export function ProgressShelf({ part, width, books }: ProgressShelfProps) {
  const fontsReady = useFontsReady();
  const blueOf = bluesByRank([...new Set(books.flatMap(({ genres }) => genres))]);
  return (
    <svg
      className={css.shelf}
      width={width}
      height="98"
      viewBox={`0 0 ${width} 98`}
      aria-hidden="true"
      focusable="false"
    >
      {stand(books, width).map((one) => {
        const top = BOARD - one.height;
        if (one.x + one.width > part * width) {
          return (
            <rect
              key={one.x}
              className={css.ghost}
              x={one.x + 0.5}
              y={top}
              width={one.width - 1}
              height={one.height}
              rx="1"
            />
          );
        }
        return (
          <Spine
            key={one.x}
            book={one.book}
            x={one.x}
            y={top}
            width={one.width}
            height={one.height}
            blue={blueOf(one.book.genres[0])}
            fontsReady={fontsReady}
          />
        );
      })}
      <rect className={css.board} y={BOARD} width={width} height="4" />
      {Array.from({ length: 21 }, (_, i) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the ticks of a ruler are their places
          key={i}
          className={css.tick}
          d={`M${Math.min(width - 0.5, (i / 20) * width + 0.5)} 74v${i % 5 === 0 ? 7 : 4}`}
        />
      ))}
      {LABELS.map((label, i) => (
        <text
          key={label}
          className={css.number}
          x={(i / (LABELS.length - 1)) * width}
          y="93"
          textAnchor={i === 0 ? "start" : i === LABELS.length - 1 ? "end" : "middle"}
        >
          {label}
        </text>
      ))}
    </svg>
  );
}
