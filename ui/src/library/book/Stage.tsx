import type { Book } from "../../kit/api/types";
import { counted, whole } from "../../kit/format";
import type { Blue } from "../../kit/spine/blue";
import { useFontsReady } from "../../kit/spine/measure";
import { Spine } from "../../kit/spine/Spine";
import css from "./Book.module.css";
import { isFinished, WHOLE } from "./model";

/** Size in px of the drawing, before it is scaled to the column. */
const WIDTH = 400;
const HEIGHT = 240;
/** px per 1,000 words. */
const SCALE = 0.72;
/** An unrated book is as high as a book with this rating. */
const UNRATED = 8;

/** Room in px between the spine and the cover. */
const APART = 14;

/** The book's spine on its board, with the cover face out beside it. A book that is not finished is filled as far as it was read. */
export function Stage({ book, blue }: { book: Book; blue: Blue }) {
  const fontsReady = useFontsReady();
  const width = Math.min(300, Math.max(4, (book.wordCount / 1000) * SCALE));
  const height = (HEIGHT - 10) * (0.5 + 0.05 * (book.rating ?? UNRATED));
  const top = HEIGHT - height;
  const share = isFinished(book) ? 1 : (book.progress?.at ?? 0) / WHOLE;
  const words = share > 0 && share < 1 ? `, ${whole(Math.floor(book.wordCount * share))} read` : "";
  return (
    <svg className={css.stage} viewBox={`0 0 ${WIDTH} ${HEIGHT + 40}`} aria-hidden="true" focusable="false">
      {share < 1 && (
        <rect className={css.ghost} x="0.5" y={top} width={Math.max(3, width - 1)} height={height} rx="1.5" />
      )}
      {share > 0 && (
        <Spine
          book={book}
          x={0}
          y={top}
          width={Math.max(2, width * share)}
          height={height}
          blue={blue}
          fontsReady={fontsReady}
        />
      )}
      {book.cover && <CoverBeside cover={book.cover} x={Math.max(22, width) + APART} top={top} />}
      <rect className={css.board} y={HEIGHT} width={WIDTH} height="4" />
      {book.wordCount > 0 && (
        <>
          <path className={css.tick} d={`M.5 ${HEIGHT + 8}v8M${width} ${HEIGHT + 8}v8M0 ${HEIGHT + 12}H${width}`} />
          <text className={css.figure} y={HEIGHT + 34}>
            {counted(book.wordCount, "word")}
            {words}
          </text>
        </>
      )}
    </svg>
  );
}

/** The cover, as high as the spine where there is room, standing on the board. */
function CoverBeside({ cover, x, top }: { cover: NonNullable<Book["cover"]>; x: number; top: number }) {
  const factor = Math.min((HEIGHT - top) / cover.height, (WIDTH - x) / cover.width);
  const [width, height] = [cover.width * factor, cover.height * factor];
  return (
    <>
      <image href={cover.url} x={x} y={HEIGHT - height} width={width} height={height} />
      <rect className={css.coverEdge} x={x} y={HEIGHT - height} width={width} height={height} />
    </>
  );
}
