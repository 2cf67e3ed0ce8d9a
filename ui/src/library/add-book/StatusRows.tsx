import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Controller, useWatch } from "react-hook-form";
import { type Place, usePlace } from "../../access/place";
import { usePreferences } from "../../access/preferences";
import type { Book, WordDistribution } from "../../kit/api/types";
import { ChoiceRows, Radio } from "../../kit/ui/Choice";
import { FieldGroup } from "../../kit/ui/Field";
import { Fold, Folds } from "../../kit/ui/Fold";
import { RatingScale } from "../../kit/ui/RatingScale";
import { daysQuery } from "../books/api";
import {
  type DateField,
  dayOf,
  editionOf,
  hasPlace,
  hasRating,
  MODES,
  type Mode,
  needsRating,
  type Proposal,
  typedPlace,
} from "../books/model";
import { PlaceField } from "../books/PlaceField";
import type { BookFormState } from "../books/useBookForm";
import type { QueueEntry } from "../outbox/mutation";
import { useQueue } from "../outbox/useOutbox";
import css from "./AddBook.module.css";
import { BookDate } from "./BookDate";

interface StatusProps {
  form: BookFormState;
  /** The stored book when it is edited. */
  book?: Book;
}

/** The five reading modes. The chosen one shows its own fields. */
export function StatusRows({ form, book }: StatusProps) {
  const mode = useWatch({ control: form.control, name: "mode" });
  const place = usePlace();
  const error = form.formState.errors.mode?.message;
  return (
    <FieldGroup label="Reading Status" required error={error}>
      <ChoiceRows
        name="status"
        value={mode}
        onChoose={(value) => {
          form.setValue("mode", value, { shouldDirty: true });
          takeBack(form);
          form.setValue("proposed", proposeDays(form, value, place, book === undefined));
          // Errors of fields that belong to the previous mode no longer apply.
          form.clearErrors(["mode", "startDate", "dateCompleted", "stoppedDate", "pausedSince", "place", "rating"]);
        }}
        rows={MODES.map(({ value, label }) => ({
          value,
          label,
          body: <ModeFields mode={value} form={form} book={book} />,
        }))}
      />
    </FieldGroup>
  );
}

/** Restores the fields of a mode that is left, unless the reader gave them another value. */
function takeBack(form: BookFormState): void {
  for (const { field, value, before } of form.getValues("proposed")) {
    if (form.getValues(field) === value) form.setValue(field, before);
  }
}

/**
 * Fills in the days that a mode usually has, unless the reader typed others, and returns them: a finished book ended today, and a new book
 * that is being read was started today. A span ends on a day, never on a rough date.
 */
function proposeDays(form: BookFormState, mode: Mode, place: Place, isNew: boolean): Proposal[] {
  const { today } = place;
  const { startDate, dateCompleted, stoppedDate } = form.getValues();
  const proposals: Proposal[] = [];
  const propose = (field: DateField, before: string, value: string) => {
    if (value === before) return;
    form.setValue(field, value);
    proposals.push({ field, value, before });
  };
  if (mode === "span") propose("dateCompleted", dateCompleted, dayOf(dateCompleted, place) ?? today);
  if (mode === "single" && dateCompleted === "") propose("dateCompleted", "", today);
  if (!isNew) return proposals;
  if (mode === "did-not-finish" && stoppedDate === "") propose("stoppedDate", "", today);
  if (mode === "in-progress" && startDate === "") propose("startDate", "", today);
  return proposals;
}

/** The fields of a reading mode. */
export function ModeFields({ mode, form, book }: StatusProps & { mode: Mode }) {
  return (
    <>
      {mode !== "no-date" && (
        <div className="form-grid">
          {mode === "single" && <BookDate form={form} name="dateCompleted" label="Date Completed" required rough />}
          {mode === "span" && <BookDate form={form} name="startDate" label="Start Date" required />}
          {mode === "span" && <BookDate form={form} name="dateCompleted" label="End Date" required />}
          {(mode === "in-progress" || mode === "did-not-finish") && (
            <BookDate form={form} name="startDate" label="Start Date" />
          )}
          {mode === "in-progress" && book && <BookDate form={form} name="pausedSince" label="Paused since" />}
          {mode === "did-not-finish" && <BookDate form={form} name="stoppedDate" label="Stopped on" />}
          {hasPlace(mode) && <PlaceReached form={form} />}
        </div>
      )}
      {hasRating(mode, book) && <RatingField form={form} required={needsRating(mode, book)} />}
      {mode === "span" && <DistributionField form={form} book={book} />}
      {mode === "in-progress" && (
        <p className="hint">In-progress books do not count towards analytics until marked completed.</p>
      )}
      {mode === "did-not-finish" && <p className="hint">Books you did not finish do not count towards analytics.</p>}
      {mode === "no-date" && (
        <p className="hint">Counts for word count, author and genre statistics, excluded from date-based analytics.</p>
      )}
    </>
  );
}

/** The place reached, in the unit of the edition. It is stored with the book as a day of its log. */
function PlaceReached({ form }: { form: BookFormState }) {
  const [place, placeUnit, pages, minutes, format] = useWatch({
    control: form.control,
    name: ["place", "placeUnit", "pages", "minutes", "format"],
  });
  const edition = editionOf({ pages, minutes, format });
  const shown = typedPlace({ place, placeUnit }, edition);
  return (
    <PlaceField
      form={shown}
      edition={edition}
      error={form.formState.errors.place?.message}
      onType={(typed) => {
        const { unit, place: reached } = { ...shown, ...typed };
        form.setValue("placeUnit", unit, { shouldDirty: true });
        form.setValue("place", reached, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
      }}
    />
  );
}

/** The rating, and its refusal. */
export function RatingField({ form, required }: { form: BookFormState; required: boolean }) {
  const { data: preferences } = usePreferences();
  const rating = useWatch({ control: form.control, name: "rating" });
  // A rating between two points, from an import or by another preference, stays visible.
  const hasHalf = preferences?.ratingStep === 0.5 || (rating !== null && !Number.isInteger(rating));
  const label = (
    <>
      Rating (0-10){!required && ", if you like"}
      {hasHalf && rating !== null && <output className={css.rating}> {rating}</output>}
    </>
  );
  return (
    <FieldGroup label={label} required={required} error={form.formState.errors.rating?.message}>
      <Controller
        control={form.control}
        name="rating"
        render={({ field }) => (
          // The form focuses a field that it refuses; for a rating that is its first radio.
          <div ref={(frame) => field.ref(frame && { focus: () => frame.querySelector("input")?.focus() })}>
            <RatingScale
              name="rating"
              value={field.value}
              required={required}
              hasHalf={hasHalf}
              onChoose={field.onChange}
            />
          </div>
        )}
      />
    </FieldGroup>
  );
}

/** Which days the words belong to, as a choice and as what holds. */
const DISTRIBUTIONS: readonly { value: WordDistribution; label: string; holds: string }[] = [
  { value: "final", label: "The last day", holds: "count on the last day" },
  { value: "spread", label: "All days equally", holds: "count on all days equally" },
  { value: "logged", label: "The days you noted", holds: "count on the days you noted" },
];

/** Whether a read has two days in its log or more, so that its words can count on them. Days that wait in this browser are among them. */
function useHasLog(book: Book | undefined): boolean {
  const { data: log = [] } = useQuery({ ...daysQuery(book?.id ?? 0), enabled: book !== undefined });
  const { pending, delivered } = useQueue();
  const days = log.filter(({ at }) => at !== null).map(({ day }) => day);
  for (const entry of [...delivered, ...pending]) if (isPlaceIn(entry, book)) days.push(entry.date);
  return new Set(days).size >= 2;
}

/** Whether an act notes a place in a book. */
function isPlaceIn(entry: QueueEntry, book: Book | undefined): entry is QueueEntry & { kind: "place" } {
  return (
    entry.kind === "place" &&
    entry.book.id === book?.id &&
    (entry.payload.page ?? entry.payload.percent ?? entry.payload.time) != null
  );
}

/** The days that the words of a span count on, folded under what is preset. */
export function DistributionField({ form, book }: StatusProps) {
  const [chosen, isOwn, proposed, startDate, dateCompleted] = useWatch({
    control: form.control,
    name: ["wordDistribution", "isOwnDistribution", "proposed", "startDate", "dateCompleted"],
  });
  const hasLog = useHasLog(book);
  // The log knows best when a read that is finished now was read.
  const isProposed = hasLog && book?.status === "in-progress" && !isOwn && chosen !== "logged";
  useEffect(() => {
    if (!isProposed) return;
    form.setValue("wordDistribution", "logged");
    form.setValue("proposed", [...proposed, { field: "wordDistribution", value: "logged", before: chosen }]);
  }, [form, isProposed, proposed, chosen]);
  const choose = (value: WordDistribution) => {
    form.setValue("wordDistribution", value, { shouldDirty: true });
    form.setValue("isOwnDistribution", true);
    form.setValue(
      "proposed",
      proposed.filter(({ field }) => field !== "wordDistribution"),
    );
  };
  // A single day leaves no choice.
  if (startDate === dateCompleted) return null;
  const rows = DISTRIBUTIONS.filter(({ value }) => value !== "logged" || hasLog || chosen === "logged");
  return (
    <Folds>
      <Fold title="Words" holds={DISTRIBUTIONS.find(({ value }) => value === chosen)?.holds}>
        <FieldGroup label="Which days do the words belong to?" error={form.formState.errors.wordDistribution?.message}>
          <div>
            {rows.map(({ value, label }) => (
              <Radio
                key={value}
                name="wordDistribution"
                value={value}
                checked={value === chosen}
                onChange={() => choose(value)}
              >
                {label}
              </Radio>
            ))}
          </div>
        </FieldGroup>
      </Fold>
    </Folds>
  );
}
