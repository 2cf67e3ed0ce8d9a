import { useDraft } from "../../access/drafts";
import { usePreferences } from "../../access/preferences";
import { InvalidFields } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { FIRST_DAY } from "../../kit/roughDate";
import { Field, FieldGroup, Input } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { RatingScale } from "../../kit/ui/RatingScale";
import { toast } from "../../kit/ui/toast";
import { useUpdateBook } from "../books/api";
import { PlaceField } from "../books/PlaceField";
import { type DayForm, dayForm, placePayload } from "../books/read";
import { useNoteDay } from "../books/workQueries";

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
  const draft = useDraft<StopForm>(`stop.${read.id}`, { ...dayForm(today, read), rating: null });
  const { values: form, change: type } = draft;
  const { data: preferences } = usePreferences();
  const note = useNoteDay();
  const update = useUpdateBook(read.id);
  const stop = async () => {
    const stopped = form.day || null;
    const checked = placePayload(form, read);
    if ("refusal" in checked) throw new InvalidFields({ place: checked.refusal });
    const payload = checked.place;
    // The place belongs to the log. It is noted first, and may be noted twice.
    if (form.place.trim() !== "") await note.mutateAsync({ id: read.id, day: stopped ?? today, payload });
    await update.mutateAsync({ change: { status: "did-not-finish", stoppedDate: stopped, rating: form.rating } });
    toast({ title: "Put away", description: "Books you did not finish do not count towards analytics." });
  };
  return (
    <FormDialog
      title={`You did not finish “${read.title}”`}
      text="Books you did not finish do not count towards analytics."
      label="Did not finish"
      action={stop}
      onDone={onStopped}
      draft={draft}
      noValidate
      onClose={onClose}
    >
      <Field label="Stopped on" name="stoppedDate day">
        <Input
          type="date"
          min={FIRST_DAY}
          max={today}
          value={form.day}
          onChange={(event) => type({ day: event.target.value })}
        />
      </Field>
      <PlaceField form={form} edition={read} onType={type} />
      <FieldGroup label="Rating (0-10), if you like" name="rating">
        <RatingScale
          name="rating"
          value={form.rating}
          hasHalf={preferences?.ratingStep === 0.5}
          onChoose={(rating) => type({ rating })}
        />
      </FieldGroup>
    </FormDialog>
  );
}
