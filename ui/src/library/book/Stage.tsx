import type { Book } from "../../kit/api/types";
import { withBase } from "../../kit/base";
import { counted, whole } from "../../kit/format";
import type { Blue } from "../../kit/spine/blue";
import { useFontsReady } from "../../kit/spine/measure";
import { PartSpine } from "../../kit/spine/PartSpine";
import { Spine } from "../../kit/spine/Spine";
import { heightOf } from "../../kit/spine/size";
import { isFinished, WHOLE } from "../books/read";
import css from "./Book.module.css";

/** Size in px of the drawing, without the words below the board. */
const WIDTH = 420;
const HEIGHT = 300;
/** Room in px above the highest book, for its ribbon. */
const HEAD = 14;
const BASE = HEAD + HEIGHT;

/** The height in px of a shelf, at which the thickness has its scale. The drawing is enlarged from there. */
const SHELF = 172;
const ZOOM = HEIGHT / SHELF;
/** px of thickness per 1,000 words, the least and the most of them, and those of a book without words. */
const SCALE = 0.46;
const THINNEST = 9;
const THICKEST = (0.34 * WIDTH) / ZOOM;
const WITHOUT_WORDS = 22;

/** Room in px between the spine and the cover. */
const APART = 14;

/** The width in px up to which a book without a cover stands beside its title, and the height of its drawing. */
const SLIM = 60;
const SLIM_HEIGHT = 240;

/** Whether a book is so thin, and has no cover, that its title stands beside its spine. */
export function isSlim({ wordCount, cover }: Book): boolean {
  return cover === null && wordCount > 0 && (wordCount / 1000) * SCALE * ZOOM <= SLIM;
}

/**
 * The book's spine on its board in the proportion of a shelf, with the cover face out beside it. A book that is not finished is filled
 * as far as it was read, and a book without words is an outline.
 */
export function Stage({ book, blue }: { book: Book; blue: Blue }) {
  const fontsReady = useFontsReady();
  const { wordCount, rating, cover } = book;
  const hasWords = wordCount > 0;
  const width = hasWords ? Math.min(Math.max((wordCount / 1000) * SCALE, THINNEST), THICKEST) : WITHOUT_WORDS;
  const height = SHELF * heightOf(rating);
  const isNarrow = isSlim(book);
  const zoom = isNarrow ? SLIM_HEIGHT / SHELF : ZOOM;
  const base = isNarrow ? HEAD + SLIM_HEIGHT : HEAD + HEIGHT;
  const [right, top] = [width * zoom, base - height * zoom];
  // The board of a slim book is as long as the line of its words.
  const board = isNarrow ? Math.max(96, Math.ceil(right) + 24) : WIDTH;
  const reached = isFinished(book) ? 1 : Math.min(1, (book.progress?.at ?? 0) / WHOLE);
  const share = hasWords ? reached : 0;
  const words = share > 0 && share < 1 ? `, ${whole(Math.floor(wordCount * share))} read` : "";
  const drawn = { book, x: 0, y: 0, width, height, blue, fontsReady };
  return (
    <svg className={css.stage} width={board} viewBox={`0 0 ${board} ${base + 40}`} aria-hidden="true" focusable="false">
      <g transform={`translate(0 ${top}) scale(${zoom})`}>
        {share === 1 ? <Spine {...drawn} /> : <PartSpine {...drawn} share={share} />}
      </g>
      {cover && <CoverBeside cover={cover} x={right + APART} top={top} />}
      <rect className={css.board} y={base} width={board} height="4" />
      <path className={css.tick} d={`M.5 ${base + 8}v8M${right - 0.5} ${base + 8}v8M0 ${base + 12}H${right}`} />
      <text className={css.figure} y={base + 34}>
        {hasWords ? counted(wordCount, "word") : "no word count"}
        {words}
      </text>
    </svg>
  );
}

/** The cover, as high as the spine where there is room, standing on the board. */
function CoverBeside({ cover, x, top }: { cover: NonNullable<Book["cover"]>; x: number; top: number }) {
  const factor = Math.min((BASE - top) / cover.height, (WIDTH - x) / cover.width);
  const [width, height] = [cover.width * factor, cover.height * factor];
  return (
    <>
      <image href={withBase(cover.url)} x={x} y={BASE - height} width={width} height={height} />
      <rect className={css.coverEdge} x={x} y={BASE - height} width={width} height={height} />
    </>
  );
}
