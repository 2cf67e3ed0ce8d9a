import { type FormEvent, useId, useState } from "react";
import { useDraft } from "../../access/drafts";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { Book, ReadingDay } from "../../kit/api/types";
import { monthDay } from "../../kit/format";
import { FIRST_DAY } from "../../kit/roughDate";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input, Textarea } from "../../kit/ui/Field";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { WAITS } from "../outbox/useOutbox";
import { useForgetDay, useNotePlace } from "./api";
import css from "./Book.module.css";
import { type DayForm, type DayRefusals, dayForm, dayPayload, isFinished, presentPlace } from "./model";
import { PlaceField } from "./PlaceField";

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
  const id = useId();
  const [opened] = useState(known?.day ?? first ?? newDay(read, today));
  const draft = useDraft<DayForm>(`day.${read.id}.${opened}`, {
    ...dayForm(opened, read, known),
    ...(startsAtPlace ? presentPlace(read) : {}),
  });
  const { values: form, change: type } = draft;
  const [refusals, setRefusals] = useState<DayRefusals>({});
  const note = useNotePlace(read);
  const forget = useForgetDay(read.id);
  const error = note.error ?? forget.error;
  const { day, page, percent, time, minutes, note: refusedNote } = fieldsOf(error);
  const refusedPlace = page ?? percent ?? time;
  const isElsewhere = error && !(day ?? refusedPlace ?? minutes ?? refusedNote);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = dayPayload(form, read, known !== undefined);
    setRefusals("refusals" in checked ? checked.refusals : {});
    if ("refusals" in checked) return;
    forget.reset();
    try {
      const done = await note.mutateAsync({ day: form.day, payload: checked.payload });
      const moved = !done.waits && done.answer.startMoved && `Start moved to ${monthDay(form.day)}.`;
      toast({ title: done.waits ? WAITS : "Noted", ...(moved ? { description: moved } : {}) });
    } catch {
      return;
    }
    draft.forget();
    onNoted();
  };
  const remove = async () => {
    note.reset();
    try {
      await forget.mutateAsync(form.day);
    } catch {
      return;
    }
    draft.forget();
    toast({ title: "Day removed from the log" });
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      foot={
        <>
          {known && (
            <Button variant="quiet" icon="trash" busy={forget.isPending && "Removing..."} onClick={remove}>
              Remove
            </Button>
          )}
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={note.isPending && "Saving..."}>
            {confirm}
          </Button>
        </>
      }
    >
      <form className={css.dialog} id={id} noValidate onSubmit={submit}>
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        {isElsewhere && <Alert>{errorMessage(error, "Please try again.")}</Alert>}
        <PlaceField form={form} edition={read} error={refusals.place ?? refusedPlace} onType={type} />
        <div className={css.pair}>
          {!known && (
            <Field label="Day" error={refusals.day ?? day}>
              <Input
                type="date"
                min={FIRST_DAY}
                max={today}
                value={form.day}
                onChange={(event) => type({ day: event.target.value })}
              />
            </Field>
          )}
          <Field label="Minutes" error={refusals.minutes ?? minutes}>
            <Input
              className="num"
              inputMode="numeric"
              autoComplete="off"
              value={form.minutes}
              onChange={(event) => type({ minutes: event.target.value })}
            />
          </Field>
        </div>
        <Field label="Note" error={refusals.note ?? refusedNote}>
          <Textarea rows={2} value={form.note} onChange={(event) => type({ note: event.target.value })} />
        </Field>
        {isFinished(read) && <p className="hint">A finished read keeps its dates and words, whatever its log says.</p>}
      </form>
    </Dialog>
  );
}

/** The day that a new note is for: today, or for a read that is over its last day. A rough date proposes no day. */
function newDay(read: Book, today: string): string {
  if (read.completedFrom !== null) return "";
  return read.dateCompleted ?? read.stoppedDate ?? today;
}
