import type { Book } from "../../kit/api/types";
import { dateSpan } from "../../kit/format";
import { paths } from "../../kit/paths";
import { roughDate } from "../../kit/roughDate";
import { Button } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import { Link } from "../../kit/ui/Link";
import css from "./BooksTable.module.css";
import { StatusBadge } from "./StatusBadge";

/** When a book was read: a badge without a completion date, otherwise a span, a rough date or a single day. */
export function ReadingDates({
  book,
}: {
  book: Parameters<typeof StatusBadge>[0]["book"] & Pick<Book, "startDate" | "dateCompleted" | "completedFrom">;
}) {
  if (book.status !== "completed") return <StatusBadge book={book} />;
  if (book.dateCompleted === null) return "-";
  if (book.completedFrom) return <span className={css.rough}>{roughDate(book.dateCompleted, book.completedFrom)}</span>;
  if (book.startDate === null) return <span className="num nowrap">{book.dateCompleted}</span>;
  return <span className="num">{dateSpan(book.startDate, book.dateCompleted)}</span>;
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

/** Shown instead of rows that could not be loaded. */
export function LoadingFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={css.failed} role="alert">
      <p>The books could not be loaded.</p>
      <Button size="compact" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
