import type { ReactNode } from "react";
import { ApiError, errorMessage } from "../../kit/api/client";
import type { Undone } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { AlertDialog } from "../../kit/ui/Dialog";
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
  const confirm = () =>
    undo.mutate(id, {
      onSuccess: onDone,
      onError: (error) => error instanceof ApiError && error.status === 409 && onDone("before"),
    });
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={title}
      text={text}
      cancel="Keep it"
      confirm="Undo"
      busy={undo.isPending && "Undoing..."}
      onConfirm={confirm}
    >
      {children}
      {undo.isError && <Alert>{errorMessage(undo.error, "It could not be undone.")}</Alert>}
    </AlertDialog>
  );
}
