import { type FormEvent, useState } from "react";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { PlaceField } from "../books/PlaceField";
import { type DayPayload, dayForm, pageOf, placePayload, type TypedPlace } from "../books/read";
import css from "./Note.module.css";
import { type Noted, useNoteToday } from "./notes";
import { stepsOf, timeOf } from "./place";

interface NoteFormProps {
  book: Book;
  today: string;
  /** Whether the field has the focus at first. */
  focused?: boolean;
  /** Called with what was noted; null when it waits for a connection. */
  onNoted: (note: Noted | null) => void;
}

/** Notes the place of today: typed, or by a step. */
export function NoteForm({ book, today, focused = false, onNoted }: NoteFormProps) {
  // Null while nothing is typed: the field then holds the present place.
  const [typed, setTyped] = useState<TypedPlace | null>(null);
  const form = { ...presentPlace(book, today), ...typed };
  const [refused, setRefused] = useState<string>();
  const note = useNoteToday(book);
  const { page, percent, time, day } = fieldsOf(note.error);
  const refusedPlace = page ?? percent ?? time;
  const send = async (payload: DayPayload) => {
    try {
      const done = await note.mutateAsync({ day: today, payload });
      setTyped((latest) => (latest === typed ? null : latest));
      setRefused(undefined);
      onNoted(done.isPending ? null : done.answer);
    } catch {
      // The sentence stands below the field.
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = placePayload(form, book);
    setRefused("refusal" in checked ? checked.refusal : undefined);
    if ("refusal" in checked) return;
    if (form.place.trim() === "") setRefused("Type where you are.");
    else send(checked.place);
  };
  const steps = stepsOf(book);
  return (
    <form className={css.note} noValidate onSubmit={submit}>
      {note.error && !refusedPlace && <Alert>{day ?? errorMessage(note.error, "Please try again.")}</Alert>}
      <div className={css.noteLine}>
        <PlaceField
          form={form}
          edition={book}
          label={`Where you are in ${book.title}`}
          labelHidden
          error={refused ?? refusedPlace}
          focused={focused}
          onType={(part) => setTyped({ unit: form.unit, place: form.place, ...part })}
        />
        <Button type="submit" variant="primary" busy={note.isPending && "Noting..."}>
          Note
        </Button>
      </div>
      <fieldset className={css.steps}>
        <legend className="vh">Note at once</legend>
        {steps.map(({ label, name, payload }) => (
          <Button key={label} size="compact" aria-label={name} disabled={note.isPending} onClick={() => send(payload)}>
            <bdi dir="ltr">{label}</bdi>
          </Button>
        ))}
      </fieldset>
    </form>
  );
}

/** The field holds the present place. */
function presentPlace(book: Book, today: string) {
  const form = dayForm(today, book);
  if (!book.progress) return form;
  const place = { page: pageOf(book), time: timeOf(book), percent: book.progress.at / 100 }[form.unit];
  return { ...form, place: String(place ?? "") };
}
