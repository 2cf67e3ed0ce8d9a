import type { Book } from "../../kit/api/types";
import { withBase } from "../../kit/base";
import type { Blue } from "../../kit/spine/blue";
import { WHOLE } from "../books/read";
import css from "./Standing.module.css";

interface StandingProps {
  book: Book;
  blue: Blue;
  height: number;
}

/** The spine of an open book, and its cover beside it. */
export function Standing({ book, blue, height }: StandingProps) {
  const { cover } = book;
  return (
    <div className={css.standing}>
      <OpenSpine book={book} blue={blue} height={height} />
      {cover && (
        <img
          className={css.cover}
          src={withBase(cover.url)}
          alt=""
          width={Math.round((cover.width * height) / cover.height)}
          height={height}
        />
      )}
    </div>
  );
}

/** An open book as a spine: the outline is the whole book, the filled part is what has been read. `widest` is in px. */
export function OpenSpine({ book, blue, height, widest = 64 }: StandingProps & { widest?: number }) {
  const width = Math.round(Math.max(10, Math.min(widest, book.wordCount * 0.0003)));
  const read = (width * (book.progress?.at ?? 0)) / WHOLE;
  return (
    <svg className={css.spine} width={width} height={height + 3} aria-hidden="true" focusable="false">
      <rect className={css.ghost} x="0.5" y="0.5" width={width - 1} height={height - 0.5} rx="1.5" />
      {read > 0.5 && <rect width={read} height={height} rx="1" fill={`var(--data-${blue})`} />}
      <rect className={css.board} y={height} width={width} height="3" />
    </svg>
  );
}
