import { useRef, useState } from "react";
import { useController, useWatch } from "react-hook-form";
import { usePlace } from "../../access/place";
import { dateBefore, longDate } from "../../kit/format";
import { FIRST_DAY, LAST_DAY, shownDate } from "../../kit/roughDate";
import { TextButton } from "../../kit/ui/Button";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, Input } from "../../kit/ui/Field";
import { isFuture } from "../books/model";
import { countsFor, readDate } from "../books/typedDate";
import type { BookFormState } from "../books/useBookForm";
import css from "./CompletedField.module.css";

/**
 * The date of completion: a day, or a rough date like "spring 2020". The line below says at once what was understood, and
 * a day in the future asks whether it is right.
 */
export function CompletedField({ form, label }: { form: BookFormState; label: string }) {
  const place = usePlace();
  const [typed, sureOf] = useWatch({ control: form.control, name: ["dateCompleted", "sureOf"] });
  const [isLeft, setLeft] = useState(false);
  const { field } = useController({ control: form.control, name: "dateCompleted" });
  const read = readDate(typed, place);
  const first = read.refused === undefined ? (read.from ?? read.to) : "";
  const choose = (day: string) => form.setValue("dateCompleted", day, { shouldDirty: true, shouldValidate: true });
  const confirm = (isSure: boolean) => {
    form.setValue("sureOf", isSure ? [...sureOf, first] : sureOf.filter((day) => day !== first), { shouldDirty: true });
    if (isSure) form.clearErrors("dateCompleted");
  };
  const refused = typed.trim() === "" ? undefined : read.refused;
  const error = form.formState.errors.dateCompleted?.message ?? (isLeft && refused);
  const said = read.refused === undefined ? countsFor(read) : refused;
  return (
    <div>
      <Field
        label={label}
        required
        error={error}
        hint={
          <span className={css.said} role="status">
            {error ? "" : said}
          </span>
        }
        side={
          <>
            <TextButton onClick={() => choose(place.today)}>Today</TextButton>
            <TextButton onClick={() => choose(dateBefore(place.today, { days: 1 }))}>Yesterday</TextButton>
          </>
        }
      >
        <div className={css.box}>
          <Input
            autoComplete="off"
            {...field}
            value={shownDate(typed)}
            onFocus={() => setLeft(false)}
            onBlur={() => {
              setLeft(true);
              field.onBlur();
            }}
          />
          <Calendar day={read.refused === undefined ? read.to : place.today} onChoose={choose} />
        </div>
      </Field>
      {isFuture(first, place.today) && (
        <Checkbox checked={sureOf.includes(first)} onChange={(event) => confirm(event.target.checked)}>
          {longDate(first)} is in the future, and it is right
        </Checkbox>
      )}
    </div>
  );
}

/** A button that opens the browser's calendar. */
function Calendar({ day, onChoose }: { day: string; onChoose: (day: string) => void }) {
  const native = useRef<HTMLInputElement>(null);
  return (
    <span className={css.pick}>
      <input
        ref={native}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        min={FIRST_DAY}
        max={LAST_DAY}
        value={day}
        onChange={(event) => event.target.value !== "" && onChoose(event.target.value)}
      />
      <button type="button" aria-label="Choose a day" onClick={() => native.current?.showPicker()}>
        <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M8 2v4M16 2v4M5 4h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM3 10h18" />
        </svg>
      </button>
    </span>
  );
}
