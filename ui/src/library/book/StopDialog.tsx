import { type FormEvent, useId, useState } from "react";
import { useDraft } from "../../access/drafts";
import { usePreferences } from "../../access/preferences";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { FIRST_DAY } from "../../kit/roughDate";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../../kit/ui/Field";
import { RatingScale } from "../../kit/ui/RatingScale";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { useUpdateBook } from "../books/api";
import { useNoteDay } from "./api";
import css from "./Book.module.css";
import { type DayForm, dayForm, placePayload } from "./model";
import { PlaceField } from "./PlaceField";

interface StopDialogProps {
  read: Book;
  today: string;
  onClose: () => void;
  onStopped: () => void;
}

/** What the dialog holds, as typed. */
type StopForm = DayForm & { rating: number | null };

/**
 * Gives a book up: the day, the place reached and a rating, all of them optional. Closed without Cancel, it keeps what was typed for the
 * next time.
 */
export function StopDialog({ read, today, onClose, onStopped }: StopDialogProps) {
  const id = useId();
  const draft = useDraft<StopForm>(`stop.${read.id}`, { ...dayForm(today, read), rating: null });
  const { values: form, change: type } = draft;
  const [refused, setRefused] = useState<string>();
  const { data: preferences } = usePreferences();
  const note = useNoteDay();
  const update = useUpdateBook(read.id);
  const error = note.error ?? update.error;
  const { day, stoppedDate, page, percent, time, rating: refusedRating } = fieldsOf(error);
  const refusedPlace = page ?? percent ?? time;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const stopped = form.day || null;
    const checked = placePayload(form, read);
    setRefused("refusal" in checked ? checked.refusal : undefined);
    if ("refusal" in checked) return;
    const payload = checked.place;
    // The refusal of an attempt before this one.
    note.reset();
    try {
      // The place belongs to the log. It is noted first, and may be noted twice.
      if (form.place.trim() !== "") await note.mutateAsync({ id: read.id, day: stopped ?? today, payload });
      await update.mutateAsync({ change: { status: "did-not-finish", stoppedDate: stopped, rating: form.rating } });
    } catch {
      return;
    }
    draft.forget();
    toast({ title: "Put away", description: "Books you did not finish do not count towards analytics." });
    onStopped();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`You did not finish “${read.title}”`}
      text="Books you did not finish do not count towards analytics."
      foot={
        <>
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={(note.isPending || update.isPending) && "Saving..."}>
            Did not finish
          </Button>
        </>
      }
    >
      <form className={css.dialog} id={id} noValidate onSubmit={submit}>
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        {error && !(day ?? stoppedDate ?? refusedPlace ?? refusedRating) && (
          <Alert>{errorMessage(error, "Please try again.")}</Alert>
        )}
        <Field label="Stopped on" error={stoppedDate ?? day}>
          <Input
            type="date"
            min={FIRST_DAY}
            max={today}
            value={form.day}
            onChange={(event) => type({ day: event.target.value })}
          />
        </Field>
        <PlaceField form={form} edition={read} error={refused ?? refusedPlace} onType={type} />
        <FieldGroup label="Rating (0-10), if you like" error={refusedRating}>
          <RatingScale
            name="rating"
            value={form.rating}
            hasHalf={preferences?.ratingStep === 0.5}
            onChoose={(rating) => type({ rating })}
          />
        </FieldGroup>
      </form>
    </Dialog>
  );
}
