import { type SubmitEvent, useId, useState } from "react";
import { useDraft } from "../access/drafts";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { TEAM_RENAME } from "../kit/api/limits";
import { Button, IconButton } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, Input } from "../kit/ui/Field";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
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
  const id = useId();
  const draft = useDraft("team.name", { name });
  const typed = draft.values.name;
  const rename = useRenameTeam();
  const form = useFocusBack(rename.isError);
  const refused = fieldsOf(rename.error).name;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    rename.mutate(typed.trim(), {
      onSuccess: () => {
        draft.forget();
        toast({ title: "Team renamed" });
        onClose();
      },
      onError: (error) =>
        toast({
          title: "Update Failed",
          description: errorMessage(error, "Failed to rename the team"),
          destructive: true,
        }),
    });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Rename the team"
      foot={
        <>
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button
            type="submit"
            form={id}
            variant="primary"
            disabled={typed.trim() === ""}
            busy={rename.isPending && "Saving..."}
          >
            Save
          </Button>
        </>
      }
    >
      <form className="form" id={id} ref={form} onSubmit={submit}>
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        <Field label="Team name" error={refused}>
          <Input
            required
            maxLength={TEAM_RENAME.name.maxLength}
            value={typed}
            onChange={(event) => draft.change({ name: event.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}
