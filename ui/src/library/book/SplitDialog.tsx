import type { Book, Work } from "../../kit/api/types";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { toast } from "../../kit/ui/toast";
import { FORMAT_WORDS } from "../../kit/words";
import css from "../books/Dialogs.module.css";
import { daysOf } from "../books/read";
import { usePart } from "../books/workQueries";

interface SplitDialogProps {
  work: Work;
  read: Book;
  name: string;
  onClose: () => void;
}

/** Makes a read a book of its own after the reader has confirmed it. */
export function SplitDialog({ work, read, name, onClose }: SplitDialogProps) {
  const { mutateAsync } = usePart(read.id);
  const others = work.reads.length - 1;
  const confirm = async () => {
    await mutateAsync();
    toast({ title: "Split", description: read.title });
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Split into its own book?"
      text={`The ${name.toLowerCase()} becomes a book of its own, with its rating, words and days. ${
        others === 1 ? "The other read stays here." : `The other ${others} reads stay together.`
      } You can merge them again.`}
      cancel="Cancel"
      confirm="Split"
      destructive={false}
      busy="Saving..."
      action={confirm}
      failed="Please try again."
      failedTitle="Failed to update book"
    >
      <DialogItem>
        <div>
          <p className={css.itemTitle} dir="auto">
            {read.title}
          </p>
          <p className="hint">
            {name}, {daysOf(read)}, {FORMAT_WORDS[read.format]}
          </p>
        </div>
      </DialogItem>
    </AlertDialog>
  );
}
