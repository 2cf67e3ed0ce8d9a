import type { ShelfBook } from "../../kit/api/types";
import { counted, dateSpan } from "../../kit/format";
import { roughDate } from "../../kit/roughDate";
import css from "./Shelf.module.css";

/** When a book was read: its span, its day, its rough date, or "no date". */
function whenRead(book: ShelfBook): string {
  if (book.date === null) return "No date";
  if (book.completedFrom) return roughDate(book.date, book.completedFrom);
  return book.startDate === null ? book.date : dateSpan(book.startDate, book.date);
}

/** The tip above a spine. `colour` is the name that its blue stands for. */
export function ShelfTip({ book, colour = book.genres[0] }: { book: ShelfBook; colour?: string }) {
  return (
    <>
      <div className={css.tipTitle} dir="auto">
        {book.title}
      </div>
      <div dir="auto">{book.author}</div>
      <div className={css.tipMeta}>
        <span>{counted(book.wordCount, "word")}</span>
        <span>{whenRead(book)}</span>
        {book.rating !== null && <span>Rated {book.rating}</span>}
        {colour && <span dir="auto">{colour}</span>}
        <span>
          {book.format}
          {book.reread && ", reread"}
        </span>
      </div>
    </>
  );
}
