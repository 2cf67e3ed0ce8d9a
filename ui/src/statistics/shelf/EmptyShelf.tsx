import { useWidth } from "../../kit/charts/useWidth";
import { MAX_SCALE, type Tick } from "./layout";
import css from "./Shelf.module.css";
import { Ruler } from "./ShelfDrawing";

/** Six placeholder books: thousands of words, and share of the height. */
const GHOSTS: readonly (readonly [thousands: number, height: number])[] = [
  [74, 0.86],
  [113, 0.7],
  [48, 0.94],
  [139, 0.79],
  [61, 0.91],
  [91, 0.65],
];
const MINOR = 40_000;

/** The board and its ruler without a book; with six dashed spines, or bare when no book matches the filter. */
export function EmptyShelf({ bare = false }: { bare?: boolean }) {
  const [stage, width] = useWidth<HTMLDivElement>();
  const tallest = width < 560 ? 128 : 160;
  const ticks: Tick[] = [];
  for (let i = 0; ((i * MINOR) / 1000) * MAX_SCALE < width; i++) {
    ticks.push({ x: ((i * MINOR) / 1000) * MAX_SCALE, words: i * MINOR, major: i % 5 === 0 });
  }
  let x = 0;
  const ghosts = GHOSTS.map(([thousands, share]) => {
    const ghost = { x: x + 0.5, width: thousands * MAX_SCALE - 1, height: tallest * share };
    x += thousands * MAX_SCALE + 3;
    return ghost;
  });
  return (
    <div ref={stage} className={css.stage}>
      {width > 0 && (
        <svg
          className={css.drawing}
          aria-hidden="true"
          width={width}
          height={tallest + 28}
          viewBox={`0 0 ${width} ${tallest + 28}`}
        >
          {!bare &&
            ghosts.map((ghost) => (
              <rect
                key={ghost.x}
                className={css.ghost}
                x={ghost.x.toFixed(1)}
                y={(tallest - ghost.height + 0.5).toFixed(1)}
                width={ghost.width.toFixed(1)}
                height={ghost.height.toFixed(1)}
                rx="1.5"
              />
            ))}
          <Ruler ticks={ticks} base={tallest} board={width} />
        </svg>
      )}
    </div>
  );
}
