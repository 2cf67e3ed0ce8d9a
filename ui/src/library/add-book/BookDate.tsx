import { useController, useWatch } from "react-hook-form";
import { DateField } from "../../access/date/DateField";
import { readDate } from "../../access/date/typedDate";
import { usePlace } from "../../access/place";
import { longDate } from "../../kit/format";
import { Checkbox } from "../../kit/ui/Choice";
import { type DateField as DateName, isFuture } from "../books/model";
import type { BookFormState } from "../books/useBookForm";

interface BookDateProps {
  form: BookFormState;
  name: DateName;
  label: string;
  required?: boolean;
  /** Whether a rough date like "spring 2020" will do. */
  rough?: boolean;
}

/** A date of the book form. A day in the future asks whether it is right. */
export function BookDate({ form, name, label, required, rough }: BookDateProps) {
  const place = usePlace();
  const { field } = useController({ control: form.control, name });
  const sureOf = useWatch({ control: form.control, name: "sureOf" });
  const read = readDate(field.value, place);
  const first = read.refused === undefined ? (read.from ?? read.to) : "";
  const confirm = (isSure: boolean) => {
    form.setValue("sureOf", isSure ? [...sureOf, first] : sureOf.filter((day) => day !== first), { shouldDirty: true });
    if (isSure) form.clearErrors(name);
  };
  return (
    <div>
      <DateField
        {...field}
        label={label}
        required={required}
        rough={rough}
        max={place.today}
        error={form.formState.errors[name]?.message}
      />
      {isFuture(first, place.today) && (
        <Checkbox checked={sureOf.includes(first)} onChange={(event) => confirm(event.target.checked)}>
          {longDate(first)} is in the future, and it is right
        </Checkbox>
      )}
    </div>
  );
}
