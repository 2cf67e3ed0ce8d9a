import type { ShelfBook } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { roughDate } from "../../kit/roughDate";
import type { Blue } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Rating } from "../../kit/ui/Badge";
import { Link } from "../../kit/ui/Link";
import css from "./Years.module.css";

/** The blue of a genre. */
export type BlueOf = (genre: string | undefined) => Blue;

/** The books of a period that has too few for rankings. */
export function Rows({ books, blueOf }: { books: readonly ShelfBook[]; blueOf: BlueOf }) {
  return (
    <ul className={css.rows}>
      {books.map((book) => (
        <li key={book.id}>
          <MiniSpine wordCount={book.wordCount} rating={book.rating} blue={blueOf(book.genres[0])} height={38} />
          <div>
            <p className={css.title}>
              <BookLink book={book} />
            </p>
            <p className={css.author} dir="auto">
              {book.author}
            </p>
            <p className={css.meta}>
              {book.wordCount > 0 ? counted(book.wordCount, "word") : "no word count"}, {dayOf(book)}
            </p>
          </div>
          <Rating value={book.rating} />
        </li>
      ))}
    </ul>
  );
}

/** The day of completion as it is known: a day, or a rough date. */
const dayOf = ({ date, completedFrom }: ShelfBook) => (date === null ? "no date" : roughDate(date, completedFrom));

export function BookLink({ book }: { book: ShelfBook }) {
  return (
    <Link href={paths.book(book.id)} dir="auto">
      {book.title}
    </Link>
  );
}
