import type { Blue } from "./blue";
import css from "./MiniSpine.module.css";
import { heightOf } from "./size";

interface MiniSpineProps {
  wordCount: number;
  /** 0 to 10, or null when unrated. */
  rating: number | null;
  blue: Blue;
  /** Outlined instead of filled: the book is not finished. */
  outlined?: boolean;
  /** Height of the row's spine in px. */
  height?: number;
}

const BROADEST = 14;

/**
 * The small spine beside a title in a list: its width shows the words (300,000 fill it), its height the rating, its
 * blue the genre.
 */
export function MiniSpine({ wordCount, rating, blue, outlined, height = 30 }: MiniSpineProps) {
  const width = Math.max(2.5, Math.min(BROADEST, (wordCount / 1000) * (BROADEST / 300) + 1.5));
  const tall = height * heightOf(rating);
  const top = (height - tall).toFixed(1);
  return (
    <svg className={css.mini} width={BROADEST} height={height} viewBox={`0 0 ${BROADEST} ${height}`} aria-hidden="true">
      {outlined ? (
        <rect
          className={css.ghost}
          x=".5"
          y={top}
          width={Math.max(3, width - 1).toFixed(1)}
          height={(tall - 0.5).toFixed(1)}
          rx="1"
        />
      ) : (
        <rect className={`d${blue}`} y={top} width={width.toFixed(1)} height={tall.toFixed(1)} rx="1" />
      )}
    </svg>
  );
}
