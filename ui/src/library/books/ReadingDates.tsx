import type { Book } from "../../kit/api/types";
import { dateSpan } from "../../kit/format";
import { Badge } from "../../kit/ui/Badge";

/** When a book was read: a badge where it has no completion, a span, or a single day. */
export function ReadingDates({ book }: { book: Pick<Book, "status" | "startDate" | "dateCompleted"> }) {
  if (book.status === "in-progress") return <Badge variant="dashed">In Progress</Badge>;
  if (book.status === "undated") return <Badge variant="dashed">No Date</Badge>;
  if (book.dateCompleted === null) return "-";
  const dates = book.startDate === null ? book.dateCompleted : dateSpan(book.startDate, book.dateCompleted);
  return <span className="num nowrap">{dates}</span>;
}
