import type { ReactNode } from "react";
import { ApiError } from "../../../kit/api/client";
import type { Undone } from "../../../kit/api/types";
import { AlertDialog } from "../../../kit/ui/Dialog";
import { useUndo } from "./api";

interface QuestionProps {
  /** The operation's id. */
  id: number;
  title: string;
  text: string;
  /** What is undone. */
  children?: ReactNode;
  onClose: () => void;
  /** `before`: it was undone elsewhere. */
  onDone: (undone: Undone | "before") => void;
}

/** Asks before an operation is undone, and undoes it. */
export function UndoQuestion({ id, title, text, children, onClose, onDone }: QuestionProps) {
  const undo = useUndo();
  const confirm = async () => {
    try {
      onDone(await undo.mutateAsync(id));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      onDone("before");
    }
  };
  return (
    <AlertDialog
      onClose={onClose}
      title={title}
      text={text}
      cancel="Keep it"
      confirm="Undo"
      busy="Undoing..."
      failed="It could not be undone."
      action={confirm}
    >
      {children}
    </AlertDialog>
  );
}
