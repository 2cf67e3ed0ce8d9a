import { useState } from "react";
import { errorMessage } from "../../kit/api/client";
import type { UndoneImport } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { Icon } from "../../kit/ui/Icon";
import { useUndoImport } from "./api";
import css from "./Import.module.css";

interface UndoDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  import: {
    id: number;
    fileName: string;
    /** The date of the import, and what it added. */
    summary: string;
  };
  onUndone: (undone: UndoneImport) => void;
}

/** Asks before a whole import is undone. */
export function UndoDialog({ open, onOpenChange, import: { id, fileName, summary }, onUndone }: UndoDialogProps) {
  const undo = useUndoImport();
  const [failure, setFailure] = useState<string | null>(null);

  const confirm = () => {
    setFailure(null);
    undo.mutate(id, {
      onSuccess: (undone) => {
        onOpenChange(false);
        onUndone(undone);
      },
      onError: (error) => setFailure(errorMessage(error, "The import could not be undone.")),
    });
  };

  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Undo this import?"
      text="This removes the books it added. Books that you have changed since stay, and we list them."
      cancel="Keep it"
      confirm="Undo import"
      onConfirm={confirm}
      busy={undo.isPending && "Undoing..."}
    >
      <DialogItem>
        <Icon name="file" />
        <div>
          <p className="label" dir="auto">
            {fileName}
          </p>
          <p className="hint">{summary}</p>
        </div>
      </DialogItem>
      {failure && <Alert className={css.inDialog}>{failure}</Alert>}
    </AlertDialog>
  );
}
