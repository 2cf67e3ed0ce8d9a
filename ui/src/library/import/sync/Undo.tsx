import { useState } from "react";
import type { Undone } from "../../../kit/api/types";
import { Alert } from "../../../kit/ui/Alert";
import { Button } from "../../../kit/ui/Button";
import { AlertDialog, DialogItem } from "../../../kit/ui/Dialog";
import { useUndo } from "../../changes/api";
import { undoneText } from "../../changes/model";
import importCss from "../Import.module.css";
import { KeptTitles } from "./KeptTitles";

interface UndoProps {
  /** The id of the operation. */
  id: number;
  name: string;
  summary: string;
  onUndone: (undone: Undone) => void;
}

/** The button that takes a whole sync back, and the question before. */
export function Undo({ id, name, summary, onUndone }: UndoProps) {
  const [open, setOpen] = useState(false);
  const undo = useUndo();
  return (
    <>
      <Button className="push" variant="quiet" icon="undo" onClick={() => setOpen(true)}>
        Undo all of it
      </Button>
      {open && (
        <AlertDialog
          onClose={() => setOpen(false)}
          title="Undo all of it?"
          text="This removes what came with the file. What you have changed since stays, and we list it."
          cancel="Keep it"
          confirm="Undo"
          busy="Undoing..."
          failed="It could not be undone."
          action={async () => onUndone(await undo.mutateAsync(id))}
        >
          <DialogItem>
            <div>
              <p className="label">{name}</p>
              <p className="hint">{summary}</p>
            </div>
          </DialogItem>
        </AlertDialog>
      )}
    </>
  );
}

/** What an undo took back, and what stays because it was changed since. */
export function UndoneSync({ undone }: { undone: Undone }) {
  return (
    <section className={importCss.result} aria-label="Result">
      <Alert kind="ok">
        <strong>Undone</strong>
        {undoneText(undone).replace(/: $/, ".")}
      </Alert>
      {undone.kept.length > 0 && (
        <KeptTitles className={importCss.list} label="Changed since" entries={undone.kept} note="changed since" />
      )}
    </section>
  );
}
