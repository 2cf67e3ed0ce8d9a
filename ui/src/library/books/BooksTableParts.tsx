import type { Book } from "../../kit/api/types";
import { dateSpan, longDate } from "../../kit/format";
import { paths } from "../../kit/paths";
import { roughDate } from "../../kit/roughDate";
import { Icon } from "../../kit/ui/Icon";
import { Link } from "../../kit/ui/Link";
import css from "./BooksTable.module.css";
import { StatusBadge } from "./StatusBadge";

/** What is shown of a book's dates. A book of a file that is not imported yet has no place. */
type Dated = Pick<Book, "status" | "startDate" | "dateCompleted" | "completedFrom"> &
  Partial<Pick<Book, "pausedSince" | "stoppedDate" | "progress">>;

/** When a book was read: a span, a rough date or a single day. Of any other book its state, and how far it was read. */
export function ReadingDates({ book }: { book: Dated }) {
  if (book.status !== "completed") {
    const reached = placeOf(book);
    return (
      <>
        <StatusBadge book={book} />
        {reached && <span className="hint nowrap"> {reached}</span>}
      </>
    );
  }
  if (book.dateCompleted === null) return "-";
  if (book.completedFrom) return <span className={css.rough}>{roughDate(book.dateCompleted, book.completedFrom)}</span>;
  if (book.startDate === null) return <span className="num nowrap">{book.dateCompleted}</span>;
  return <span className="num">{dateSpan(book.startDate, book.dateCompleted)}</span>;
}

/** The place that an unfinished book has reached and since when it is put away: `38%, since Sep 2, 2026`. */
function placeOf({ status, progress, pausedSince, stoppedDate }: Dated): string {
  if (status === "undated") return "";
  const since = pausedSince && `since ${longDate(pausedSince)}`;
  return [progress && `${Math.floor(progress.at / 100)}%`, since ?? (stoppedDate && longDate(stoppedDate))]
    .filter(Boolean)
    .join(", ");
}

/** A pencil icon that links to the edit form. */
export function EditLink({ book, compact }: { book: Pick<Book, "id" | "title">; compact?: boolean }) {
  return (
    <Link
      className={css.edit}
      data-compact={compact || undefined}
      href={paths.editBook(book.id)}
      aria-label={`Edit ${book.title}`}
    >
      <Icon name="edit" small={compact} />
    </Link>
  );
}
