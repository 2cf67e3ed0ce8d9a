import { useState } from "react";
import { useDraft } from "../access/drafts";
import { TEAM_RENAME } from "../kit/api/limits";
import { IconButton } from "../kit/ui/Button";
import { Field, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { useRenameTeam } from "./api";

/** The pencil beside the team's name, and the dialog that it opens. */
export function RenameTeam({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="edit" label="Rename the team" onClick={() => setOpen(true)} />
      {open && <RenameDialog name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const draft = useDraft("team.name", { name });
  const typed = draft.values.name;
  const { mutateAsync } = useRenameTeam();
  const rename = async () => {
    await mutateAsync(typed.trim());
    toast({ title: "Team renamed" });
  };
  return (
    <FormDialog
      title="Rename the team"
      label="Save"
      disabled={typed.trim() === ""}
      action={rename}
      failed="Failed to rename the team"
      failedTitle="Update Failed"
      draft={draft}
      onClose={onClose}
    >
      <Field label="Team name" name="name">
        <Input
          required
          maxLength={TEAM_RENAME.name.maxLength}
          value={typed}
          onChange={(event) => draft.change({ name: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}
