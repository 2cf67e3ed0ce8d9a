import type { Book } from "../../kit/api/types";
import type { Blue } from "../../kit/spine/blue";
import type { Place } from "./model";
import css from "./Shelves.module.css";

/** Heights in px: of the drawing, and of a spine that is not read. */
const HIGH = 84;
const LOW = 60;
const GAP = 4;
const BOARD = 3;
/** The width in px of a book without words, and the narrowest one. */
const UNKNOWN = 26;
const NARROWEST = 18;
const WIDEST = 110;
/** px per 1,000 words. */
const SCALE = 0.46;

interface SeriesStageProps {
  places: readonly Place[];
  blue: Blue;
  /** The book of a number, for its width and height. Without it all spines are equal. */
  bookOf?: (number: string) => Book | undefined;
  className?: string;
}

/** The numbers of a series on a board: filled when read, outlined on the shelf, dashed when missing. */
export function SeriesStage({ places, blue, bookOf, className }: SeriesStageProps) {
  let end = 0;
  const spines = places.map(({ number, state }) => {
    const book = bookOf?.(number);
    const words = book?.wordCount ?? 0;
    const width = words > 0 ? Math.min(WIDEST, Math.max(NARROWEST, (words / 1000) * SCALE)) : UNKNOWN;
    const height = state === "read" ? HIGH * (0.5 + 0.05 * (book?.rating ?? 8)) : LOW;
    const x = end;
    end += width + GAP;
    return { number, state, x, width, height };
  });
  return (
    <svg
      className={className}
      width={end}
      height={HIGH + BOARD}
      viewBox={`0 0 ${Math.max(1, end)} ${HIGH + BOARD}`}
      aria-hidden="true"
      focusable="false"
    >
      {spines.map(({ number, state, x, width, height }) => (
        <g key={number}>
          <rect
            className={state === "read" ? `d${blue}` : css.outline}
            data-state={state}
            x={state === "read" ? x : x + 0.5}
            y={HIGH - height}
            width={state === "read" ? width : width - 1}
            height={height}
            rx="1"
          />
          <text
            className={state === "read" ? `${css.number} f${blue}` : css.number}
            data-state={state}
            x={x + width / 2}
            y={HIGH - 8}
            textAnchor="middle"
          >
            {number}
          </text>
        </g>
      ))}
      <rect className={css.board} y={HIGH} width={end} height={BOARD} />
    </svg>
  );
}
