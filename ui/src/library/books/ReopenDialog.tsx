import type { Book } from "../../kit/api/types";
import { AlertDialog } from "../../kit/ui/Dialog";

interface ReopenDialogProps {
  /** A finished read. */
  read: Pick<Book, "dateCompleted" | "rating">;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks before a finished read is in progress again: the totals lose it, and its date and rating are removed. */
export function ReopenDialog({ read, onClose, onConfirm }: ReopenDialogProps) {
  const gone = [read.dateCompleted !== null && "date of completion", read.rating !== null && "rating"].filter(Boolean);
  const removed = gone.length > 0 ? ` Its ${gone.join(" and its ")} ${gone.length > 1 ? "are" : "is"} removed.` : "";
  return (
    <AlertDialog
      onClose={onClose}
      title="Mark as unfinished?"
      text={`The book is in progress again, and counts in no figure until it is finished.${removed}`}
      cancel="Cancel"
      confirm="Mark as unfinished"
      destructive={false}
      busy="Saving..."
      action={onConfirm}
    />
  );
}
