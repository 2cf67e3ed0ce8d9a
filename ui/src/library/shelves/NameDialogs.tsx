import { useState } from "react";
import { titleKey } from "../../kit/fold";
import { counted } from "../../kit/format";
import { Field, Input, Select } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";

/** A series or a tag with the number of its books. */
export interface Named {
  name: string;
  books: number;
}

export const NOT_CHANGED = "It could not be changed.";

interface NameDialogProps {
  title: string;
  text: string;
  others: readonly Named[];
  onClose: () => void;
}

interface RenameProps extends NameDialogProps {
  kind: "series" | "tag";
  name: string;
  /** The word on the button for a name that nothing else has. */
  verb: string;
  hint?: string;
  /** Why a name is not accepted; false when it is. */
  refusal?: (name: string) => string | false;
  /** `same`: what has the name already. */
  onRename: (name: string, same: Named | undefined) => Promise<unknown>;
}

/** Asks for a new name. A name that exists already merges the two. */
export function RenameDialog({ title, text, kind, name, verb, hint, others, refusal, onRename, onClose }: RenameProps) {
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const keyOf = kind === "tag" ? (text: string) => text.toLowerCase() : titleKey;
  const same = others.find((one) => keyOf(one.name) === keyOf(wanted));
  const refused = refusal?.(wanted) ?? false;
  const merging =
    same &&
    `There is a ${kind} “${same.name}” already, ${kind === "tag" ? "on" : "with"} ${counted(same.books, "book")}. Saving merges the two.`;
  return (
    <FormDialog
      title={title}
      text={text}
      label={same ? "Merge" : verb}
      action={() => onRename(wanted, same)}
      failed={NOT_CHANGED}
      disabled={wanted === "" || wanted === name || refused !== false}
      onClose={onClose}
    >
      <Field label="Name" name="name" hint={merging ?? hint} error={refused}>
        <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
    </FormDialog>
  );
}

interface MergeProps extends NameDialogProps {
  label: string;
  /** Stands in the place of the choice where there is nothing to merge with. */
  none: string;
  onMerge: (chosen: string) => Promise<unknown>;
}

/** Asks for one of the others. */
export function MergeDialog({ title, text, label, none, others, onMerge, onClose }: MergeProps) {
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  return (
    <FormDialog
      title={title}
      text={text}
      label="Merge"
      busy="Merging..."
      action={() => onMerge(chosen)}
      failed={NOT_CHANGED}
      disabled={chosen === ""}
      onClose={onClose}
    >
      {others.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <Field label={label} name="name">
          <Select
            options={others.map(({ name, books }) => ({ value: name, label: `${name} (${counted(books, "book")})` }))}
            value={chosen}
            onChoose={setChosen}
          />
        </Field>
      )}
    </FormDialog>
  );
}
