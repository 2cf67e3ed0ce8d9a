import type { KeyboardEvent } from "react";
import { useDraft } from "../access/drafts";
import { InvalidFields } from "../kit/api/client";
import { TEAM_RENAME } from "../kit/api/limits";
import { Field, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";

interface TeamNameDialogProps {
  onName: (name: string) => Promise<unknown>;
  onClose: () => void;
  /** Whether the browser is about to leave for the checkout. */
  busy: boolean;
}

/** Asks for the name of a new team before its checkout. The name is kept for a reader who comes back from there without having paid. */
export function TeamNameDialog({ onName, onClose, busy }: TeamNameDialogProps) {
  const { values, change, startOver } = useDraft("team.new", { name: "" });
  const blank = values.name.trim() === "";
  const checkOut = () =>
    onName(values.name.trim()).catch(() => {
      // A notice has said why.
      throw new InvalidFields({});
    });
  /** The button is disabled while the name is blank. Pressing Enter then shows why. */
  const press = ({ key }: KeyboardEvent) => {
    if (key !== "Enter" || !blank) return;
    toast({ title: "Team name required", description: "Please enter a team name", destructive: true });
  };
  return (
    <FormDialog
      title="Create Your Team"
      text="You can change the name later on the team page."
      label="Continue"
      busy="Processing..."
      action={checkOut}
      onDone={() => undefined}
      disabled={blank || busy}
      onClose={() => {
        startOver();
        onClose();
      }}
    >
      <Field label="Team name" name="teamName">
        <Input
          required
          maxLength={TEAM_RENAME.name.maxLength}
          value={values.name}
          onChange={(event) => change({ name: event.target.value })}
          onKeyDown={press}
        />
      </Field>
    </FormDialog>
  );
}
