import { DateField } from "../../access/date/DateField";
import { dayRefusal } from "../../access/date/typedDate";
import { useDraft } from "../../access/drafts";
import { usePreferences } from "../../access/preferences";
import { api, InvalidFields } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { FieldGroup } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { RatingScale } from "../../kit/ui/RatingScale";
import { useUpdateBook } from "../books/api";
import { PlaceField } from "../books/PlaceField";
import { type DayForm, dayForm, placePayload } from "../books/read";
import { useOfferUndo } from "../books/useOfferUndo";
import { useNoteDay } from "../books/workQueries";
import { useUndoNote } from "./notes";

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
  const putBack = useUndoNote(read.id);
  const offerUndo = useOfferUndo(read);
  const stop = async () => {
    const stopped = form.day || null;
    const refusal = dayRefusal(form.day);
    if (refusal) throw new InvalidFields({ day: refusal });
    const checked = placePayload(form, read);
    if ("refusal" in checked) throw new InvalidFields({ place: checked.refusal });
    const payload = checked.place;
    const day = stopped ?? today;
    const isNoted = form.place.trim() !== "";
    const { data: log } = isNoted ? await api.get("/api/books/{id}/days", { path: { id: read.id } }) : { data: [] };
    // The place belongs to the log. It is noted first, and may be noted twice.
    if (isNoted) await note.mutateAsync({ id: read.id, day, payload });
    await update.mutateAsync({ change: { status: "did-not-finish", stoppedDate: stopped, rating: form.rating } });
    const before = log.find((logged) => logged.day === day && !logged.dismissed);
    offerUndo("Stopped reading", async () => isNoted && putBack.mutateAsync({ day, before }));
  };
  return (
    <FormDialog
      title={`Stop reading “${read.title}”`}
      text="Books you did not finish do not count towards analytics."
      label="Stop reading"
      action={stop}
      onDone={onStopped}
      draft={draft}
      noValidate
      onClose={onClose}
    >
      <DateField
        label="Stopped on"
        name="stoppedDate day"
        max={today}
        value={form.day}
        onChange={(day) => type({ day })}
      />
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
