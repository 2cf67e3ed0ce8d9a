import { useQuery } from "@tanstack/react-query";
import { forgetDraftsOf } from "../../access/drafts";
import { useUser } from "../../access/viewer";
import type { Book } from "../../kit/api/types";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { bluesByRank } from "../../kit/spine/rank";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { toast } from "../../kit/ui/toast";
import { optionsQuery, useDeleteBook } from "./api";
import css from "./Dialogs.module.css";
import { daysOf } from "./read";
import { isUnfinished } from "./StatusBadge";

interface DeleteDialogProps {
  /** The read that is deleted. */
  read: Book;
  /** Its name among the reads of the book: "Third read". */
  name?: string;
  /** The number of the book's other reads. */
  others: number;
  /** Other reads that are deleted, too. */
  further?: readonly Book[];
  /** Runs the deletion. A form that shows the book also removes its draft then. */
  onDelete?: (remove: () => Promise<unknown>) => Promise<unknown>;
  onClose: () => void;
  onDeleted: () => void;
}

const run = (remove: () => Promise<unknown>) => remove();

/** Deletes a read after the reader has confirmed it. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { read, name, others, further = [], onDelete = run, onClose, onDeleted } = props;
  // The read that is shown goes last: when one is refused, the dialog still belongs to a book.
  const { mutateAsync } = useDeleteBook(
    read.id,
    further.map(({ id }) => id),
  );
  const { id: account } = useUser();
  const { data: options } = useQuery(optionsQuery);
  const blueOf = bluesByRank(options?.genres.map((genre) => genre.name) ?? []);
  const confirm = async () => {
    await onDelete(() => mutateAsync());
    const forms = ["edit", "edition", "read", "impressions", "quotes", "finish", "stop", "quote", "day"];
    forgetDraftsOf(account, ...[read, ...further].flatMap(({ id }) => forms.map((form) => `${form}.${id}`)));
    toast({ title: "Book deleted successfully!" });
    onDeleted();
  };
  const left = others === 1 ? "Your other read stays." : `Your other ${others} reads stay.`;
  return (
    <AlertDialog
      onClose={onClose}
      title="Are you sure you want to delete this book?"
      text="This action cannot be undone. This will permanently delete the book from your collection."
      cancel="Keep book"
      confirm="I'm sure"
      busy="Deleting..."
      action={confirm}
      failed="Please try again."
      failedTitle="Failed to delete book"
    >
      <DialogItem>
        <MiniSpine
          wordCount={read.wordCount}
          rating={read.rating}
          blue={blueOf(read.genres[0])}
          outlined={isUnfinished(read)}
        />
        <div>
          <p className={css.itemTitle} dir="auto">
            {read.title}
          </p>
          <p className={css.itemAuthor} dir="auto">
            {read.author}
          </p>
          <p className="hint">
            {name && `${name}, `}
            {further.length === 0 ? `${daysOf(read)}.` : `All ${further.length + 1} reads.`} {others > 0 && left}
          </p>
        </div>
      </DialogItem>
    </AlertDialog>
  );
}
