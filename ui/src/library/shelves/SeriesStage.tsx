import type { Blue } from "../../kit/spine/blue";
import { heightOf } from "../../kit/spine/size";
import type { Place } from "./model";
import css from "./Shelves.module.css";

/** Words of a book whose words are not known, and of a missing one in a series without any. */
const USUAL_WORDS = 80_000;

/** The measures of a drawing in px. */
const SIZES = {
  small: { high: 84, scale: 0.42, narrowest: 18, gap: 3, board: 3, room: 680, figures: 12 },
  large: { high: 150, scale: 1.35, narrowest: 34, gap: 4, board: 4, room: 1216, figures: 20 },
} as const;

interface SeriesStageProps {
  places: readonly Place[];
  blueOf: (genre: string | undefined) => Blue;
  size: keyof typeof SIZES;
}

/**
 * The numbers of a series on a board: filled when read, outlined on the shelf, dashed when missing. A read one is as thick as it has words
 * and as high as it is rated; a missing one is as thick as the others on average. It is decorative: the page says the same in words.
 */
export function SeriesStage({ places, blueOf, size }: SeriesStageProps) {
  const { high, scale, narrowest, gap, board, room, figures } = SIZES[size];
  const known = places.flatMap(({ book }) => (book && book.wordCount > 0 ? [book.wordCount] : []));
  const usual = known.length > 0 ? known.reduce((sum, words) => sum + words, 0) / known.length : USUAL_WORDS;
  const wordsOf = ({ book }: Place) => book?.wordCount || usual;
  const whole = places.reduce((sum, place) => sum + wordsOf(place), 0);
  // A long series is drawn as far as it fits, with thinner books.
  const free = Math.max(0, room - places.length * gap);
  const thousand = Math.min(scale, (free / whole) * 1000);
  const least = Math.min(narrowest, free / places.length);
  let end = 0;
  const spines = places.map((place) => {
    const { number, state, book } = place;
    const width = Math.max(least, (wordsOf(place) / 1000) * thousand);
    const height = high * heightOf(state === "read" ? (book?.rating ?? null) : null);
    const x = end;
    end += width + gap;
    return { number, state, x, width, height, blue: blueOf(book?.genres[0]) };
  });
  return (
    <svg
      width={end}
      height={high + board}
      viewBox={`0 0 ${Math.max(1, end)} ${high + board}`}
      aria-hidden="true"
      focusable="false"
    >
      {spines.map(({ number, state, x, width, height, blue }) => {
        const isRead = state === "read";
        return (
          <g key={number}>
            <rect
              className={isRead ? `d${blue}` : css.outline}
              data-state={state}
              x={isRead ? x : x + 0.5}
              y={isRead ? high - height : high - height + 0.5}
              width={isRead ? width : Math.max(1, width - 1)}
              height={isRead ? height : height - 0.5}
              rx="1"
            />
            {width > number.length * figures * 0.5 && (
              <text
                className={isRead ? `${css.number} f${blue}` : css.number}
                data-state={state}
                fontSize={figures}
                x={x + width / 2}
                y={high - 8}
                textAnchor="middle"
              >
                {number}
              </text>
            )}
          </g>
        );
      })}
      <rect className={css.board} y={high} width={end} height={board} />
    </svg>
  );
}
