import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { SeriesEntry } from "../../kit/api/types";
import { folded } from "../../kit/fold";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input, Select } from "../../kit/ui/Field";
import { useChangeSeries } from "./api";
import { toastWithUndo } from "./undoable";

interface SeriesDialogProps {
  name: string;
  /** The other series of the reader. */
  others: readonly SeriesEntry[];
  onClose: () => void;
}

/** Shows a series in place of this one. The way back stays. */
const show = (name: string) => navigate(paths.series(name), { replace: true, state: window.history.state });

/** Renames a series and shows it under its new name. `onDone` closes the dialog. */
function useRename(name: string, onDone: () => void) {
  const change = useChangeSeries(name);
  const client = useQueryClient();
  const rename = (newName: string, title: string) =>
    change.mutate(newName, {
      onSuccess: ({ series, operationId }) => {
        onDone();
        show(series.name);
        const onUndone = () => show(name);
        if (operationId !== null) toastWithUndo(client, { title, operation: operationId, onUndone });
      },
    });
  return { rename, change };
}

/** Gives all books of a series another name of it. A name that exists already merges the two. */
export function RenameSeriesDialog({ name, others, onClose }: SeriesDialogProps) {
  const [typed, setTyped] = useState(name);
  const { rename, change } = useRename(name, onClose);
  const newName = typed.trim();
  const same = others.find((one) => folded(one.name) === folded(newName));
  const isChanged = newName !== "" && newName !== name;
  const save = () => isChanged && rename(newName, same ? "The series are merged" : "The series is renamed");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename the series"
      text="In all of its books."
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" disabled={!isChanged} busy={change.isPending && "Saving..."} onClick={save}>
            {same ? "Merge" : "Save"}
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        hint={
          same &&
          `There is a series “${same.name}” already, with ${counted(booksOf(same), "book")}. Saving merges the two.`
        }
        error={
          change.isError && (fieldsOf(change.error).name ?? errorMessage(change.error, "It could not be changed."))
        }
      >
        <Input
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && save()}
        />
      </Field>
    </Dialog>
  );
}

const booksOf = ({ read, open }: SeriesEntry) => read + open;

/** Moves the books of another series into this one. */
export function MergeSeriesDialog({ name, others, onClose }: SeriesDialogProps) {
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  const change = useChangeSeries(chosen);
  const client = useQueryClient();
  const merge = () =>
    change.mutate(name, {
      onSuccess: ({ operationId }) => {
        onClose();
        if (operationId !== null) toastWithUndo(client, { title: "The series are merged", operation: operationId });
      },
    });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Merge with another series"
      text="The books of the other come here. Numbers stay as they are. You can undo it."
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" disabled={!chosen} busy={change.isPending && "Merging..."} onClick={merge}>
            Merge
          </Button>
        </>
      }
    >
      <Field label="Series" error={change.isError && errorMessage(change.error, "It could not be changed.")}>
        <Select
          options={others.map((one) => ({ value: one.name, label: `${one.name} (${counted(booksOf(one), "book")})` }))}
          value={chosen}
          onChoose={setChosen}
        />
      </Field>
    </Dialog>
  );
}
