import type { UndoneImport } from "../../kit/api/types";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { Icon } from "../../kit/ui/Icon";
import { useUndoImport } from "./api";

interface UndoDialogProps {
  onClose: () => void;
  import: {
    id: number;
    fileName: string;
    /** The date of the import, and what it added. */
    summary: string;
  };
  onUndone: (undone: UndoneImport) => void;
}

/** Asks before a whole import is undone. */
export function UndoDialog({ onClose, import: { id, fileName, summary }, onUndone }: UndoDialogProps) {
  const undo = useUndoImport();
  return (
    <AlertDialog
      onClose={onClose}
      title="Undo this import?"
      text="This removes the books it added. Books that you have changed since stay, and we list them."
      cancel="Keep it"
      confirm="Undo import"
      action={async () => onUndone(await undo.mutateAsync(id))}
      busy="Undoing..."
      failed="The import could not be undone."
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
    </AlertDialog>
  );
}
