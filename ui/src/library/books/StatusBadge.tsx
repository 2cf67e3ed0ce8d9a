import type { Book } from "../../kit/api/types";
import { Badge } from "../../kit/ui/Badge";
import { STATUS_WORDS } from "../../kit/words";

type Unfinished = Pick<Book, "status"> & Partial<Pick<Book, "pausedSince">>;

/** Whether a book is in progress or was given up. Such books count in no figure. */
export function isUnfinished({ status }: Pick<Book, "status">): boolean {
  return status === "in-progress" || status === "did-not-finish";
}

/** Marks a book that has no completion date; nothing for a completed one. */
export function StatusBadge({ book: { status, pausedSince } }: { book: Unfinished }) {
  if (status === "completed") return null;
  return <Badge variant="dashed">{STATUS_WORDS[status === "in-progress" && pausedSince ? "paused" : status]}</Badge>;
}
