import { errorMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { TextButton } from "../../kit/ui/Button";
import { toast } from "../../kit/ui/toast";
import { placeName } from "../books/read";
import css from "./Note.module.css";
import { type Noted, useUndoNote } from "./notes";

/** What was noted last, with a way to take it back. */
export function NotedLine({ book, note, onDone }: { book: Book; note: Noted; onDone: () => void }) {
  const undo = useUndoNote(book.id);
  const takeBack = async () => {
    try {
      await undo.mutateAsync(note);
    } catch (error) {
      toast({ title: "Failed to undo", description: errorMessage(error, "Please try again."), destructive: true });
      return;
    }
    onDone();
  };
  return (
    <p className={css.noted}>
      <span>
        Noted: <bdi>{book.title}</bdi>, {placeName(note.payload)}.
      </span>
      <TextButton disabled={undo.isPending} onClick={takeBack}>
        Undo
      </TextButton>
    </p>
  );
}
