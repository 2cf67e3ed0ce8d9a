import type { SubmitEvent } from "react";
import { useDraft } from "../access/drafts";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { TEAM_RENAME } from "../kit/api/limits";
import { Button } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { Field, Input } from "../kit/ui/Field";
import { LeaveQuestion } from "../kit/ui/LeaveQuestion";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { useStartTeam } from "./api";
import css from "./Team.module.css";

/** On a private server, where no one pays for a team: the form that starts one. */
export function StartTeam() {
  const draft = useDraft("team.new", { name: "" });
  const { name } = draft.values;
  const start = useStartTeam();
  const form = useFocusBack(start.isError);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    start.mutate(name.trim(), {
      onSuccess: () => {
        draft.forget();
        toast({ title: "Team started", description: name.trim() });
        // The form, which had the focus, gives way to the team.
        document.getElementById("main")?.focus();
      },
      onError: (error) =>
        toast({
          title: "Error",
          description: errorMessage(error, "Failed to start the team"),
          destructive: true,
        }),
    });
  };
  return (
    <Empty
      title="You're not part of any team"
      action={
        <form className={css.start} ref={form} onSubmit={submit}>
          <LeaveQuestion isChanged={() => draft.isChanged && !start.isPending && !start.isSuccess} />
          <fieldset className="form" disabled={start.isPending}>
            {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
            <Field label="Team name" error={fieldsOf(start.error).name}>
              <Input
                required
                maxLength={TEAM_RENAME.name.maxLength}
                value={name}
                onChange={(event) => draft.change({ name: event.target.value })}
              />
            </Field>
            <Button
              type="submit"
              variant="primary"
              wide
              disabled={name.trim() === ""}
              busy={start.isPending && "Starting..."}
            >
              Start a Team
            </Button>
          </fieldset>
        </form>
      }
    >
      A team reads together: a shared dashboard, and challenges. Start one, and invite the others.
    </Empty>
  );
}
