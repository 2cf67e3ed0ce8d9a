import { type SubmitEvent, useId, useState } from "react";
import { useDraft } from "../../access/drafts";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { Challenge } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { AlertDialog, Dialog, DialogClose, DialogItem } from "../../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../../kit/ui/Field";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { toast } from "../../kit/ui/toast";
import { useDeleteChallenge, useSaveChallenge } from "./api";
import css from "./Challenges.module.css";
import { type ChallengeForm, daysOf, formOf, type Metric, refusalsOf, toChallenge } from "./model";

const METRICS: readonly { value: Metric; label: string }[] = [
  { value: "words", label: "Words" },
  { value: "books", label: "Books" },
];

interface ChallengeDialogProps {
  /** Null for a new one. */
  challenge: Challenge | null;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  onClose: () => void;
}

/** Creates, changes or deletes a challenge. Render it only while one is edited, so that it starts with the stored values. */
export function ChallengeDialog({ challenge, today, onClose }: ChallengeDialogProps) {
  const [isDeleting, setDeleting] = useState(false);
  if (challenge && isDeleting) return <DeleteDialog challenge={challenge} onClose={onClose} />;
  return <EditDialog challenge={challenge} today={today} onClose={onClose} onDelete={() => setDeleting(true)} />;
}

function EditDialog({ challenge, today, onClose, onDelete }: ChallengeDialogProps & { onDelete: () => void }) {
  const id = useId();
  const draft = useDraft(`team.challenge.${challenge?.id ?? "new"}`, formOf(challenge, today));
  const form = draft.values;
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const { mutate, isPending, error } = useSaveChallenge(challenge?.id);
  const failure = error && Object.keys(fieldsOf(error)).length === 0 ? errorMessage(error, "Please try again.") : null;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const refusals = refusalsOf(form);
    setRefused(refusals);
    if (Object.keys(refusals).length > 0) return;
    mutate(toChallenge(form), {
      onSuccess: () => {
        draft.forget();
        toast({ title: challenge ? "Challenge updated" : "Challenge set" });
        onClose();
      },
      onError: (why) => setRefused(fieldsOf(why)),
    });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={challenge ? "Edit challenge" : "New challenge"}
      foot={
        <>
          {challenge && (
            <Button variant="danger-outline" className={css.push} onClick={onDelete}>
              Delete
            </Button>
          )}
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={isPending && "Saving..."}>
            {challenge ? "Save" : "Create challenge"}
          </Button>
        </>
      }
    >
      <form className="form" id={id} noValidate onSubmit={submit}>
        {failure && <Alert>{failure}</Alert>}
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        <Fields form={form} refused={refused} onChange={draft.change} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  form: ChallengeForm;
  /** A sentence for each refused field. */
  refused: Readonly<Record<string, string>>;
  onChange: (part: Partial<ChallengeForm>) => void;
}

function Fields({ form, refused, onChange }: FieldsProps) {
  const field = (name: keyof ChallengeForm) => ({
    name,
    value: form[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="form-grid">
      <Field className="span-2" label="Title" required error={refused.title}>
        <Input titled {...field("title")} />
      </Field>
      <FieldGroup label="Count" error={refused.metric}>
        <SegmentedControl
          label="Count"
          name="metric"
          options={METRICS}
          value={form.metric}
          onChoose={(metric) => onChange({ metric })}
          fill
        />
      </FieldGroup>
      <Field label="Target" required error={refused.target}>
        <Input className="num" inputMode="numeric" {...field("target")} />
      </Field>
      <Field label="Start Date" required error={refused.startDate}>
        <Input type="date" {...field("startDate")} />
      </Field>
      <Field label="End Date" required error={refused.endDate}>
        <Input type="date" {...field("endDate")} min={form.startDate || undefined} />
      </Field>
    </div>
  );
}

function DeleteDialog({ challenge, onClose }: { challenge: Challenge; onClose: () => void }) {
  const { mutateAsync } = useDeleteChallenge(challenge.id);
  const confirm = async () => {
    try {
      await mutateAsync();
      toast({ title: "Challenge deleted" });
    } catch (error) {
      const description = errorMessage(error, "Please try again.");
      toast({ title: "Failed to delete the challenge", description, destructive: true });
    }
    onClose();
  };
  return (
    <AlertDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Delete this challenge?"
      text="Everybody’s books stay as they are. Only the challenge goes."
      cancel="Keep challenge"
      confirm="Delete Challenge"
      onConfirm={confirm}
      busy="Deleting..."
    >
      <DialogItem>
        <div>
          <p className="serif" dir="auto">
            {challenge.title}
          </p>
          <p className="hint">{daysOf(challenge)}</p>
        </div>
      </DialogItem>
    </AlertDialog>
  );
}
