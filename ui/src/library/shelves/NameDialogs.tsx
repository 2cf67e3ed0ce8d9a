import { type ReactNode, useState } from "react";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import { titleKey } from "../../kit/fold";
import { counted } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input, Select } from "../../kit/ui/Field";

/** A series or a tag with the number of its books. */
export interface Named {
  name: string;
  books: number;
}

interface NameDialogProps {
  title: string;
  text: string;
  others: readonly Named[];
  /** The call that changes it. */
  change: { isPending: boolean; error: Error | null };
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
  onRename: (name: string, same: Named | undefined) => void;
}

/** Asks for a new name. A name that exists already merges the two. */
export function RenameDialog({ title, text, kind, name, verb, hint, others, refusal, change, ...on }: RenameProps) {
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const keyOf = kind === "tag" ? (text: string) => text.toLowerCase() : titleKey;
  const same = others.find((one) => keyOf(one.name) === keyOf(wanted));
  const refused = refusal?.(wanted) ?? false;
  const isReady = wanted !== "" && wanted !== name && !refused;
  const save = () => isReady && !change.isPending && on.onRename(wanted, same);
  const merging =
    same &&
    `There is a ${kind} “${same.name}” already, ${kind === "tag" ? "on" : "with"} ${counted(same.books, "book")}. Saving merges the two.`;
  return (
    <Asking
      {...{ title, text, change }}
      onClose={on.onClose}
      verb={same ? "Merge" : verb}
      busy="Saving..."
      isReady={isReady}
      onConfirm={save}
    >
      <Field
        label="Name"
        hint={merging ?? hint}
        error={refused || (change.error && (fieldsOf(change.error).name ?? notChanged(change.error)))}
      >
        <Input
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // The Enter of an input method chooses a candidate.
          onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && save()}
        />
      </Field>
    </Asking>
  );
}

interface MergeProps extends NameDialogProps {
  label: string;
  /** Stands in the place of the choice where there is nothing to merge with. */
  none: string;
  onMerge: (chosen: string) => void;
}

/** Asks for one of the others. */
export function MergeDialog({ title, text, label, none, others, change, onMerge, onClose }: MergeProps) {
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  return (
    <Asking
      {...{ title, text, change, onClose }}
      verb="Merge"
      busy="Merging..."
      isReady={chosen !== ""}
      onConfirm={() => onMerge(chosen)}
    >
      {others.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <Field label={label} error={change.error && notChanged(change.error)}>
          <Select
            options={others.map(({ name, books }) => ({ value: name, label: `${name} (${counted(books, "book")})` }))}
            value={chosen}
            onChoose={setChosen}
          />
        </Field>
      )}
    </Asking>
  );
}

export const notChanged = (error: Error) => errorMessage(error, "It could not be changed.");

interface AskingProps extends Omit<NameDialogProps, "others"> {
  verb: string;
  busy: string;
  isReady: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

function Asking({ title, text, verb, busy, isReady, change, onConfirm, onClose, children }: AskingProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      text={text}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" disabled={!isReady} busy={change.isPending && busy} onClick={onConfirm}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
