import { type KeyboardEvent, type SubmitEvent, useId } from "react";
import { useDraft } from "../access/drafts";
import { TEAM_RENAME } from "../kit/api/limits";
import { Button } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, Input } from "../kit/ui/Field";
import { toast } from "../kit/ui/toast";

interface TeamNameDialogProps {
  onName: (name: string) => void;
  onClose: () => void;
  busy: boolean;
}

/** Asks for the name of a new team before its checkout. */
export function TeamNameDialog({ onName, onClose, busy }: TeamNameDialogProps) {
  const id = useId();
  const draft = useDraft("team.new", { name: "" });
  const { name } = draft.values;
  const blank = name.trim() === "";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onName(name.trim());
  };
  /** The button is disabled while the name is blank. Pressing Enter then shows why. */
  const press = ({ key }: KeyboardEvent) => {
    if (key !== "Enter" || !blank) return;
    toast({ title: "Team name required", description: "Please enter a team name", destructive: true });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Create Your Team"
      text="You can change the name later on the team page."
      foot={
        <>
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" disabled={blank} busy={busy && "Processing..."}>
            Continue
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit}>
        <Field label="Team name">
          <Input
            required
            maxLength={TEAM_RENAME.name.maxLength}
            value={name}
            onChange={(event) => draft.change({ name: event.target.value })}
            onKeyDown={press}
          />
        </Field>
      </form>
    </Dialog>
  );
}
