import type { Book } from "../../kit/api/types";
import type { Blue } from "../../kit/spine/blue";
import { useFontsReady } from "../../kit/spine/measure";
import { Spine } from "../../kit/spine/Spine";
import { heightOf } from "../../kit/spine/size";

const GAP = 2;
const NARROWEST = 4;

interface SpinesProps {
  books: readonly Book[];
  blueOf: (genre: string | undefined) => Blue;
  /** px of the drawing, which is cut at its end. */
  width: number;
  /** px of a book with the best rating. */
  height: number;
  /** px per 1,000 words. */
  scale: number;
}

/** Books side by side, as many as fit. It is decorative: the same books stand in a list. */
export function Spines({ books, blueOf, width, height, scale }: SpinesProps) {
  const fontsReady = useFontsReady();
  let end = 0;
  const standing = books.flatMap((book) => {
    const thickness = Math.max(NARROWEST, (book.wordCount / 1000) * scale);
    const x = end;
    if (x > width) return [];
    end += thickness + GAP;
    return [{ book, x, thickness, tall: height * heightOf(book.rating) }];
  });
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMinYMax slice" aria-hidden="true" focusable="false">
      {standing.map(({ book, x, thickness, tall }) => (
        <Spine
          key={book.id}
          book={{ ...book, author: book.authors[0] ?? book.author }}
          x={x}
          y={height - tall}
          width={thickness}
          height={tall}
          blue={blueOf(book.genres[0])}
          fontsReady={fontsReady}
        />
      ))}
    </svg>
  );
}
