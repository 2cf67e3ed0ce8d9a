import { useState } from "react";
import { DateField } from "../../access/date/DateField";
import { useDraft } from "../../access/drafts";
import { InvalidFields } from "../../kit/api/client";
import type { Challenge } from "../../kit/api/types";
import { Button } from "../../kit/ui/Button";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { toast } from "../../kit/ui/toast";
import { METRIC_WORDS, optionsOf } from "../../kit/words";
import { useDeleteChallenge, useSaveChallenge } from "./api";
import css from "./Challenges.module.css";
import { type ChallengeForm, daysOf, formOf, refusalsOf, toChallenge } from "./model";

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
  const draft = useDraft(`team.challenge.${challenge?.id ?? "new"}`, formOf(challenge, today));
  const { mutateAsync } = useSaveChallenge(challenge?.id);
  const save = async () => {
    const refused = refusalsOf(draft.values);
    if (Object.keys(refused).length > 0) throw new InvalidFields(refused);
    await mutateAsync(toChallenge(draft.values));
    toast({ title: challenge ? "Challenge updated" : "Challenge set" });
  };
  return (
    <FormDialog
      title={challenge ? "Edit challenge" : "Create a challenge"}
      label={challenge ? "Save" : "Create challenge"}
      action={save}
      draft={draft}
      foot={(isRunning) =>
        challenge && (
          <Button variant="danger-outline" className={css.push} disabled={isRunning} onClick={onDelete}>
            Delete
          </Button>
        )
      }
      noValidate
      onClose={onClose}
    >
      <Fields form={draft.values} onChange={draft.change} />
    </FormDialog>
  );
}

interface FieldsProps {
  form: ChallengeForm;
  onChange: (part: Partial<ChallengeForm>) => void;
}

function Fields({ form, onChange }: FieldsProps) {
  const field = (name: keyof ChallengeForm) => ({
    name,
    value: form[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="form-grid">
      <Field className="span-2" label="Title" required name="title">
        <Input titled {...field("title")} />
      </Field>
      <FieldGroup label="Count" name="metric">
        <SegmentedControl
          label="Count"
          name="metric"
          options={optionsOf(METRIC_WORDS, ["words", "books"])}
          value={form.metric}
          onChoose={(metric) => onChange({ metric })}
          fill
        />
      </FieldGroup>
      <Field label="Target" required name="target">
        <Input className="num" inputMode="numeric" {...field("target")} />
      </Field>
      <DateField
        label="Start Date"
        required
        name="startDate"
        value={form.startDate}
        onChange={(startDate) => onChange({ startDate })}
      />
      <DateField
        label="End Date"
        required
        name="endDate"
        min={form.startDate}
        value={form.endDate}
        onChange={(endDate) => onChange({ endDate })}
      />
    </div>
  );
}

function DeleteDialog({ challenge, onClose }: { challenge: Challenge; onClose: () => void }) {
  const { mutateAsync } = useDeleteChallenge(challenge.id);
  const confirm = async () => {
    await mutateAsync();
    toast({ title: "Challenge deleted" });
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete this challenge?"
      text="Everyone’s books stay as they are. Only the challenge goes."
      cancel="Keep challenge"
      confirm="Delete Challenge"
      action={confirm}
      busy="Deleting..."
      failed="Please try again."
      failedTitle="Failed to delete the challenge"
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
