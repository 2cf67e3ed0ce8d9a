import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Controller, useWatch } from "react-hook-form";
import { type Place, usePlace } from "../../access/place";
import { usePreferences } from "../../access/preferences";
import { useToday } from "../../access/today";
import type { Book, WordDistribution } from "../../kit/api/types";
import { dateBefore, longDate } from "../../kit/format";
import { FIRST_DAY, LAST_DAY } from "../../kit/roughDate";
import { TextButton } from "../../kit/ui/Button";
import { Checkbox, ChoiceRows, Radio } from "../../kit/ui/Choice";
import { Field, FieldGroup, Input } from "../../kit/ui/Field";
import { RatingScale } from "../../kit/ui/RatingScale";
import { daysQuery } from "../books/api";
import {
  type DateField,
  dayOf,
  editionOf,
  hasPlace,
  hasRating,
  isFuture,
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
import { CompletedField } from "./CompletedField";

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
        rows={MODES.map(({ value, label }) => ({ value, label, body: <Body mode={value} form={form} book={book} /> }))}
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

function Body({ mode, form, book }: StatusProps & { mode: Mode }) {
  return (
    <>
      {mode !== "no-date" && (
        <div className="form-grid">
          {mode === "single" && <CompletedField form={form} label="Date Completed" />}
          {mode === "span" && <DayField form={form} name="startDate" label="Start Date" required />}
          {mode === "span" && <DayField form={form} name="dateCompleted" label="End Date" required />}
          {(mode === "in-progress" || mode === "did-not-finish") && (
            <DayField form={form} name="startDate" label="Start Date" />
          )}
          {mode === "in-progress" && <DayField form={form} name="pausedSince" label="Paused since" />}
          {mode === "did-not-finish" && <DayField form={form} name="stoppedDate" label="Stopped on" />}
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

interface DayFieldProps {
  form: BookFormState;
  name: DateField;
  label: string;
  required?: boolean;
}

/** A date. A completion has buttons for today and yesterday, and a day in the future asks whether it is right. */
export function DayField({ form, name, label, required }: DayFieldProps) {
  const today = useToday();
  const [day, sureOf] = useWatch({ control: form.control, name: [name, "sureOf"] });
  const choose = (chosen: string) => form.setValue(name, chosen, { shouldDirty: true, shouldValidate: true });
  const confirm = (isSure: boolean) => {
    form.setValue("sureOf", isSure ? [...sureOf, day] : sureOf.filter((one) => one !== day), { shouldDirty: true });
    if (isSure) form.clearErrors(name);
  };
  return (
    <div>
      <Field
        label={label}
        required={required}
        error={form.formState.errors[name]?.message}
        side={
          name === "dateCompleted" && (
            <>
              <TextButton onClick={() => choose(today)}>Today</TextButton>
              <TextButton onClick={() => choose(dateBefore(today, { days: 1 }))}>Yesterday</TextButton>
            </>
          )
        }
      >
        <Input type="date" min={FIRST_DAY} max={LAST_DAY} {...form.register(name)} />
      </Field>
      {isFuture(day, today) && (
        <Checkbox checked={sureOf.includes(day)} onChange={(event) => confirm(event.target.checked)}>
          {longDate(day)} is in the future, and it is right
        </Checkbox>
      )}
    </div>
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

const DISTRIBUTIONS: readonly { value: WordDistribution; label: string }[] = [
  { value: "final", label: "all on the final date" },
  { value: "spread", label: "spread evenly across the span" },
];

const LOGGED = { value: "logged", label: "on the days of the day log" } as const;

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

/** The months that the words of a span count in. */
export function DistributionField({ form, book }: StatusProps) {
  const [chosen, isOwn, proposed] = useWatch({
    control: form.control,
    name: ["wordDistribution", "isOwnDistribution", "proposed"],
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
  const rows = hasLog || chosen === "logged" ? [...DISTRIBUTIONS, LOGGED] : DISTRIBUTIONS;
  return (
    <FieldGroup label="Count the words" error={form.formState.errors.wordDistribution?.message}>
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
  );
}
