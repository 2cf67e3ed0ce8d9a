import type { ReactNode } from "react";
import { whole } from "../../kit/format";
import { Field, Input, Select } from "../../kit/ui/Field";
import css from "./Book.module.css";
import type { TypedPlace, Unit } from "./model";

const UNITS: readonly { value: Unit; label: string }[] = [
  { value: "page", label: "page" },
  { value: "percent", label: "%" },
];

interface PlaceFieldProps {
  form: TypedPlace;
  /** The pages of the edition; without them a place is a percentage. */
  pages: number | null;
  label?: ReactNode;
  error: string | undefined;
  onType: (typed: Partial<TypedPlace>) => void;
}

/** A place in a book, by page or by percent. It is selected on focus, so that typing replaces the former one. */
export function PlaceField({ form, pages, label = "Place reached", error, onType }: PlaceFieldProps) {
  return (
    <div className={css.placeField}>
      <Field
        label={label}
        error={error}
        hint={pages === null && "Type a percentage, or add the number of pages to use page numbers."}
      >
        <Input
          className="num"
          inputMode="decimal"
          autoComplete="off"
          suffix={form.unit === "page" && pages !== null ? `of ${whole(pages)}` : "%"}
          value={form.place}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onType({ place: event.target.value })}
        />
      </Field>
      {pages !== null && (
        <Select
          aria-label="Page or percent"
          className={css.unit}
          options={UNITS}
          value={form.unit}
          onChoose={(unit) => onType({ unit, place: "" })}
        />
      )}
    </div>
  );
}
