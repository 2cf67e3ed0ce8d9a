import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "../../kit/api/client";
import { VIEW_FIELDS } from "../../kit/api/limits";
import type { View } from "../../kit/api/types";
import { Button, IconButton } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { useRowFocus } from "../../kit/ui/useRowFocus";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { useChangeView, useDeleteView, useSaveView, viewsQuery } from "./api";
import css from "./Views.module.css";

/** Keeps the filter under a name. */
export function SaveView({ query, onClose }: { query: string; onClose: () => void }) {
  const [name, setName] = useState("");
  const { mutateAsync } = useSaveView();
  return (
    <FormDialog
      title="Save as view"
      text="Give this filter a name to find it again."
      label="Save"
      action={() => mutateAsync({ name: name.trim(), query })}
      onClose={onClose}
    >
      <NameField name={name} onType={setName} />
    </FormDialog>
  );
}

function NameField({ name, onType }: { name: string; onType: (name: string) => void }) {
  return (
    <Field label="Name" name="name query" required>
      <Input
        required
        maxLength={VIEW_FIELDS.name.maxLength}
        placeholder="Audio only"
        value={name}
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}

/** Pins, renames and deletes views. */
export function EditViews({ onClose }: { onClose: () => void }) {
  const { data: views = [] } = useQuery(viewsQuery);
  const [renamed, setRenamed] = useState<View | null>(null);
  const pinned = views.filter(({ position }) => position !== null).length;
  // A view that was renamed takes the button that had the focus with it.
  const list = useStepFocus<HTMLUListElement>(renamed ? "rename" : "all", { onlyIfLost: true });
  useRowFocus(list, views);
  return (
    <>
      <Dialog
        title="Edit views"
        text="Pinned views come first."
        onClose={onClose}
        foot={
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        }
      >
        <ul className={css.views} ref={list} tabIndex={-1}>
          {views.map((view) => (
            <ViewRow key={view.name} view={view} last={pinned} onRename={() => setRenamed(view)} />
          ))}
        </ul>
      </Dialog>
      {renamed && <RenameView view={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}

function ViewRow({ view, last, onRename }: { view: View; last: number; onRename: () => void }) {
  const { name } = view;
  const pinned = view.position !== null;
  const change = useChangeView(name);
  const remove = useDeleteView(name);
  const failed = (error: unknown) =>
    toast({
      title: "The view could not be changed",
      description: errorMessage(error, "Please try again."),
      destructive: true,
    });
  return (
    <li className={css.view}>
      <span dir="auto">{name}</span>
      <IconButton
        icon="pin"
        label={`Pin ${name}`}
        aria-pressed={pinned}
        onClick={() => change.mutateAsync({ position: pinned ? null : last }).catch(failed)}
      />
      <IconButton icon="edit" label={`Rename ${name}`} onClick={onRename} />
      <IconButton icon="trash" label={`Delete ${name}`} onClick={() => remove.mutateAsync().catch(failed)} />
    </li>
  );
}

function RenameView({ view, onClose }: { view: View; onClose: () => void }) {
  const [name, setName] = useState(view.name);
  const { mutateAsync } = useChangeView(view.name);
  return (
    <FormDialog
      title="Rename the view"
      label="Rename"
      action={() => mutateAsync({ name: name.trim() })}
      onClose={onClose}
    >
      <NameField name={name} onType={setName} />
    </FormDialog>
  );
}
