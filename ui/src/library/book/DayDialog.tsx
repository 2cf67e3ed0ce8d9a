import { useState } from "react";
import { DateField } from "../../access/date/DateField";
import { dayRefusal } from "../../access/date/typedDate";
import { useDraft } from "../../access/drafts";
import { InvalidFields } from "../../kit/api/client";
import type { Book, ReadingDay } from "../../kit/api/types";
import { monthDay } from "../../kit/format";
import { Field, Input, Textarea } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { PlaceField } from "../books/PlaceField";
import { type DayForm, dayForm, dayPayload, isFinished, presentPlace } from "../books/read";
import { useForgetDay } from "../books/workQueries";
import { useNotePlace } from "../outbox/bookMutations";
import { WAITS } from "../outbox/useOutbox";
import css from "./Book.module.css";

interface DayDialogProps {
  read: Book;
  today: string;
  title: string;
  /** The day that a new note is for at first; absent means today, or the last day of a read that is over. */
  day?: string;
  /** The label of the button that saves. */
  confirm: string;
  /** The day that is corrected; without it a new one is noted. */
  known?: ReadingDay;
  /** Whether the field holds the present place at first. */
  startsAtPlace?: boolean;
  onClose: () => void;
  /** Called after a day was noted, in place of `onClose`. */
  onNoted?: () => void;
}

/**
 * Notes what was read on a day, or corrects or removes a day of the log. Closed without Cancel, it keeps what was typed for the next time
 * that this day is noted.
 */
export function DayDialog({
  read,
  today,
  day: first,
  title,
  confirm,
  known,
  startsAtPlace = false,
  onClose,
  onNoted = onClose,
}: DayDialogProps) {
  const [opened] = useState(known?.day ?? first ?? newDay(read, today));
  const draft = useDraft<DayForm>(`day.${read.id}.${opened}`, {
    ...dayForm(opened, read, known),
    ...(startsAtPlace ? presentPlace(read) : {}),
  });
  const { values: form, change: type } = draft;
  const note = useNotePlace(read);
  const forget = useForgetDay(read.id);
  const save = async () => {
    const refusal = dayRefusal(form.day);
    if (refusal) throw new InvalidFields({ day: refusal });
    const checked = dayPayload(form, read, known !== undefined);
    if ("refusals" in checked) throw new InvalidFields(checked.refusals);
    const done = await note.mutateAsync({ day: form.day, payload: checked.payload });
    const moved = !done.isPending && done.answer.startMoved && `Start moved to ${monthDay(form.day)}.`;
    toast({ title: done.isPending ? WAITS : "Noted", ...(moved ? { description: moved } : {}) });
  };
  const remove = async () => {
    await forget.mutateAsync(form.day);
    toast({ title: "Day removed from the log" });
  };
  return (
    <FormDialog
      title={title}
      label={confirm}
      action={save}
      onDone={onNoted}
      second={known && { label: "Remove", busy: "Removing...", icon: "trash", action: remove }}
      draft={draft}
      noValidate
      onClose={onClose}
    >
      <PlaceField form={form} edition={read} onType={type} />
      <div className={css.pair}>
        {!known && <DateField label="Day" name="day" max={today} value={form.day} onChange={(day) => type({ day })} />}
        <Field label="Minutes" name="minutes">
          <Input
            className="num"
            inputMode="numeric"
            autoComplete="off"
            value={form.minutes}
            onChange={(event) => type({ minutes: event.target.value })}
          />
        </Field>
      </div>
      <Field label="Note" name="note">
        <Textarea rows={2} value={form.note} onChange={(event) => type({ note: event.target.value })} />
      </Field>
      {isFinished(read) && <p className="hint">A finished read keeps its dates and words, whatever its log says.</p>}
    </FormDialog>
  );
}

/** The day that a new note is for: today, or for a read that is over its last day. A rough date proposes no day. */
function newDay(read: Book, today: string): string {
  if (read.completedFrom !== null) return "";
  return read.dateCompleted ?? read.stoppedDate ?? today;
}
