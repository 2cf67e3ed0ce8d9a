import { navigate } from "wouter/use-browser-location";
import { errorMessage } from "../../kit/api/client";
import type { Book, Work } from "../../kit/api/types";
import { leaveTo } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { toast } from "../../kit/ui/toast";
import { useDeleteBook } from "../books/api";
import css from "./Book.module.css";
import { daysOf, readName } from "./model";

interface DeleteDialogProps {
  work: Work;
  /** The read that is deleted. */
  read: Book;
  /** The id in the page's address. */
  shownId?: number;
  onClose: () => void;
}

/** Deletes a read after the reader has confirmed it. The page stays with the other reads, and otherwise leads back. */
export function DeleteDialog({ work, read, shownId = read.id, onClose }: DeleteDialogProps) {
  const { mutateAsync, isPending } = useDeleteBook(read.id);
  const others = work.reads.filter(({ id }) => id !== read.id);
  const confirm = async () => {
    try {
      await mutateAsync();
    } catch (error) {
      onClose();
      const description = errorMessage(error, "Please try again.");
      toast({ title: "Failed to delete book", description, destructive: true });
      return;
    }
    onClose();
    toast({ title: "Book deleted successfully!" });
    const other = others.at(-1);
    if (!other) leaveTo(paths.dashboard());
    else if (shownId === read.id) navigate(paths.book(other.id), { replace: true, state: window.history.state });
  };
  const left = others.length === 1 ? "Your other read stays." : `Your other ${others.length} reads stay.`;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Are you sure you want to delete this book?"
      text="This action cannot be undone. This will permanently delete the book from your collection."
      cancel="Keep book"
      confirm="I'm sure"
      busy={isPending && "Deleting..."}
      onConfirm={confirm}
    >
      <DialogItem>
        <div>
          <p className={css.itemTitle} dir="auto">
            {read.title}
          </p>
          <p className="hint">
            {readName(work.reads.indexOf(read))}, {daysOf(read)}. {others.length > 0 && left}
          </p>
        </div>
      </DialogItem>
    </AlertDialog>
  );
}
