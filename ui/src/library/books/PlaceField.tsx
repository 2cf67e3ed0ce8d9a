import type { ReactNode } from "react";
import { clock, whole } from "../../kit/format";
import { Field, Input } from "../../kit/ui/Field";
import css from "./PlaceField.module.css";
import { type Edition, type TypedPlace, type Unit, unitsOf } from "./read";

const UNITS: Record<Unit, string> = { page: "page", time: "time", percent: "%" };

interface PlaceFieldProps {
  form: TypedPlace;
  /** Without pages and length a place is a percentage. */
  edition: Edition;
  label?: ReactNode;
  labelHidden?: boolean;
  /** Of a form that is no dialog. */
  error?: string | undefined;
  /** Whether it has the focus when it appears. */
  focused?: boolean;
  onType: (typed: Partial<TypedPlace>) => void;
}

/** A place in a book, by page, time or percent, which is chosen within the field. It is selected on focus, so that typing replaces the former one. */
export function PlaceField({ form, edition, label = "Place reached", focused, onType, ...rest }: PlaceFieldProps) {
  const units = unitsOf(edition);
  return (
    <Field
      {...rest}
      label={label}
      name="place page percent time"
      hint={units.length === 1 && HINTS[edition.format === "Audio" ? "time" : "page"]}
    >
      <div className={css.place}>
        {units.length > 1 && (
          <select
            aria-label="Unit of the place"
            value={form.unit}
            onChange={(event) => onType({ unit: event.target.value as Unit, place: "" })}
          >
            {units.map((unit) => (
              <option key={unit} value={unit}>
                {UNITS[unit]}
              </option>
            ))}
          </select>
        )}
        <Input
          className="num"
          // A keyboard for numbers has no colon.
          inputMode={form.unit === "time" ? "text" : "decimal"}
          autoComplete="off"
          autoFocus={focused}
          suffix={suffix(form.unit, edition)}
          value={form.place}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onType({ place: event.target.value })}
        />
      </div>
    </Field>
  );
}

const HINTS = {
  page: "Type a percentage, or add the number of pages to use page numbers.",
  time: "Type a percentage, or add the length to use times.",
};

function suffix(unit: Unit, { pages, minutes }: Edition): string {
  if (unit === "page" && pages !== null) return `of ${whole(pages)}`;
  return unit === "time" && minutes !== null ? `of ${clock(minutes)}` : "%";
}
