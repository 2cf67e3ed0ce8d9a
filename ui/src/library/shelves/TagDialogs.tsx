import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { TagEntry } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { AlertDialog, Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, FieldGroup, Input, Select } from "../../kit/ui/Field";
import { Icon } from "../../kit/ui/Icon";
import { useChangeTag, useDeleteTag } from "./api";
import { SHELF_ICONS, type ShelfIcon, shelfIcon } from "./model";
import css from "./Shelves.module.css";
import { toastWithUndo } from "./undoable";

interface TagDialogProps {
  tag: TagEntry;
  onClose: () => void;
}

interface OthersProps extends TagDialogProps {
  /** The other tags of the reader. */
  others: readonly TagEntry[];
}

/** Renames a tag, or merges it into one that exists. `onDone` closes the dialog. */
function useRename(tag: TagEntry, onDone: () => void) {
  const change = useChangeTag(tag.name);
  const client = useQueryClient();
  const rename = (name: string, title: string) =>
    change.mutate(
      { name },
      {
        onSuccess: ({ operationId }) => {
          onDone();
          if (operationId !== null) toastWithUndo(client, { title, operation: operationId });
        },
      },
    );
  return { rename, change };
}

const merged = (tag: TagEntry, name: string) =>
  `Merged: ${counted(tag.books, "book")} moved from “${tag.name}” to “${name}”.`;

/** Renames a tag in all books. A name that exists already merges the two. */
export function RenameTagDialog({ tag, others, onClose }: OthersProps) {
  const [typed, setTyped] = useState(tag.name);
  const { rename, change } = useRename(tag, onClose);
  const name = typed.trim();
  const same = others.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const isChanged = name !== "" && name !== tag.name;
  const refusal = name.includes(",") && "A tag can't contain a comma.";
  const save = () => {
    if (!isChanged || refusal) return;
    const renamed = `Renamed in ${counted(tag.books, "book")}: “${tag.name}” is “${name}” now.`;
    rename(name, same ? merged(tag, same.name) : renamed);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename the tag"
      text={`In ${counted(tag.books, "book")}, at once. You can undo it.`}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            disabled={!isChanged || Boolean(refusal)}
            busy={change.isPending && "Saving..."}
            onClick={save}
          >
            {same ? "Merge" : "Rename"}
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        hint={
          same
            ? `There is a tag “${same.name}” already, on ${counted(same.books, "book")}. Saving merges the two.`
            : "No commas."
        }
        error={
          refusal ||
          (change.isError && (fieldsOf(change.error).name ?? errorMessage(change.error, "It could not be changed.")))
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

/** Gives the books of a tag another one instead. */
export function MergeTagDialog({ tag, others, onClose }: OthersProps) {
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  const { rename, change } = useRename(tag, onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Merge into another tag"
      text={`“${tag.name}” goes, and its ${counted(tag.books, "book")} get the other. You can undo it.`}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            disabled={!chosen}
            busy={change.isPending && "Merging..."}
            onClick={() => rename(chosen, merged(tag, chosen))}
          >
            Merge
          </Button>
        </>
      }
    >
      {others.length === 0 ? (
        <p className="hint">There is no other tag.</p>
      ) : (
        <Field label="Tag" error={change.isError && errorMessage(change.error, "It could not be changed.")}>
          <Select
            options={others.map(({ name, books }) => ({ value: name, label: `${name} (${counted(books, "book")})` }))}
            value={chosen}
            onChoose={setChosen}
          />
        </Field>
      )}
    </Dialog>
  );
}

/** Shows a tag as a shelf with an icon. */
export function ShelfDialog({ tag, onClose }: TagDialogProps) {
  const group = useId();
  const [icon, setIcon] = useState<ShelfIcon>(shelfIcon(tag.icon));
  const change = useChangeTag(tag.name);
  const save = () => change.mutate({ shelf: true, icon }, { onSuccess: onClose });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={tag.shelf ? "Edit shelf" : "Show as a shelf"}
      text={tag.shelf ? undefined : `“${tag.name}” then stands on the page of all tags with its books.`}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" busy={change.isPending && "Saving..."} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <FieldGroup label="Icon" error={change.isError && errorMessage(change.error, "It could not be changed.")}>
        <div className={css.icons}>
          {SHELF_ICONS.map((one) => (
            <label key={one.icon} className={css.icon} title={one.label}>
              <input
                type="radio"
                name={group}
                aria-label={one.label}
                checked={icon === one.icon}
                onChange={() => setIcon(one.icon)}
              />
              <Icon name={one.icon} />
            </label>
          ))}
        </div>
      </FieldGroup>
    </Dialog>
  );
}

/** Takes a tag off all books, after a question. */
export function DeleteTagDialog({ tag, onClose }: TagDialogProps) {
  const remove = useDeleteTag(tag.name);
  const client = useQueryClient();
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        onClose();
        toastWithUndo(client, { title: `“${tag.name}” is taken off ${counted(tag.books, "book")}.`, operation: null });
      },
    });
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title="Delete this tag?"
      text={`“${tag.name}” is taken off ${counted(tag.books, "book")}. The books stay. You can undo it.`}
      cancel="Keep it"
      confirm="Delete"
      busy={remove.isPending && "Deleting..."}
      onConfirm={confirm}
    >
      {remove.isError && <p className="hint">{errorMessage(remove.error, "It could not be changed.")}</p>}
    </AlertDialog>
  );
}
