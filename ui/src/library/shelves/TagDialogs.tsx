import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { TagEntry } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { AlertDialog } from "../../kit/ui/Dialog";
import { FieldGroup } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { Icon } from "../../kit/ui/Icon";
import { toast } from "../../kit/ui/toast";
import { useChangeTag, useDeleteTag } from "./api";
import { SHELF_ICONS, type ShelfIcon, shelfIcon } from "./model";
import { MergeDialog, NOT_CHANGED, RenameDialog } from "./NameDialogs";
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

/** Renames a tag, or merges it into one that exists. */
function useRename(tag: TagEntry) {
  const { mutateAsync } = useChangeTag(tag.name);
  const client = useQueryClient();
  return async (name: string, title: string) => {
    const { operationId: operation } = await mutateAsync({ name });
    toastWithUndo(client, { title, operation });
  };
}

const merged = (tag: TagEntry, name: string) =>
  `Merged: ${counted(tag.books, "book")} moved from “${tag.name}” to “${name}”.`;

/** Renames a tag in all books. A name that exists already merges the two. */
export function RenameTagDialog({ tag, others, onClose }: OthersProps) {
  const rename = useRename(tag);
  const books = counted(tag.books, "book");
  return (
    <RenameDialog
      title="Rename the tag"
      text={`In ${books}. You can undo it.`}
      kind="tag"
      name={tag.name}
      verb="Rename"
      hint="No commas."
      refusal={(name) => name.includes(",") && "A tag can't contain a comma."}
      onRename={(name, same) =>
        rename(name, same ? merged(tag, same.name) : `Renamed in ${books}: “${tag.name}” is “${name}” now.`)
      }
      {...{ others, onClose }}
    />
  );
}

/** Gives the books of a tag another one instead. */
export function MergeTagDialog({ tag, others, onClose }: OthersProps) {
  const rename = useRename(tag);
  return (
    <MergeDialog
      title="Merge with another tag"
      text="All books move into the one you choose. You can undo it."
      label="Tag"
      none="You have one tag so far."
      onMerge={(name) => rename(name, merged(tag, name))}
      {...{ others, onClose }}
    />
  );
}

/** Shows a tag as a shelf with an icon. */
export function ShelfDialog({ tag, onClose }: TagDialogProps) {
  const group = useId();
  const [icon, setIcon] = useState<ShelfIcon>(shelfIcon(tag.icon));
  const { mutateAsync } = useChangeTag(tag.name);
  return (
    <FormDialog
      title={tag.shelf ? "Edit shelf" : "Show as a shelf"}
      text={tag.shelf ? undefined : `All tags shows “${tag.name}” with its books.`}
      label="Save"
      action={() => mutateAsync({ shelf: true, icon })}
      failed={NOT_CHANGED}
      onClose={onClose}
    >
      <FieldGroup label="Icon" name="icon">
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
    </FormDialog>
  );
}

/** Takes a tag off all books, after a question. */
export function DeleteTagDialog({ tag, onClose }: TagDialogProps) {
  const remove = useDeleteTag(tag.name);
  const client = useQueryClient();
  const confirm = async () => {
    const operation = await remove.mutateAsync();
    const title = `“${tag.name}” is taken off ${counted(tag.books, "book")}.`;
    if (operation === null) toast({ title });
    else toastWithUndo(client, { title, operation });
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete this tag?"
      text={`“${tag.name}” is taken off ${counted(tag.books, "book")}. The books stay. You can undo it.`}
      cancel="Keep it"
      confirm="Delete"
      busy="Deleting..."
      action={confirm}
    />
  );
}
