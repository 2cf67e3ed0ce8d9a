import { useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { titleKey } from "../../kit/fold";
import { FieldGroup, Input } from "../../kit/ui/Field";
import { seriesQuery } from "../books/api";
import { Suggestions } from "../books/Suggestions";
import { suggestions } from "../books/suggest";
import type { BookFormState } from "../books/useBookForm";
import { heldLine } from "../shelves/model";
import css from "./AddBook.module.css";

interface SeriesFieldProps {
  form: BookFormState;
  /** Whether the field is shown, and the series of the library are wanted. */
  isShown: boolean;
}

/** The series of a book and its number in it, with what the reader has of the series. */
export function SeriesField({ form, isShown }: SeriesFieldProps) {
  const name = useWatch({ control: form.control, name: "series" });
  const { data: known } = useQuery({ ...seriesQuery, enabled: isShown });
  const same = known?.find((one) => titleKey(one.name) === titleKey(name.trim()));
  return (
    <div>
      <FieldGroup
        label="Series and number"
        error={form.formState.errors.series?.message ?? form.formState.errors.seriesNumber?.message}
        hint={
          same && (
            <>
              {heldLine(same)}
              {same.next !== null && ` Next: #${same.next}.`}
            </>
          )
        }
      >
        <div className={css.series}>
          <Input aria-label="Series" autoComplete="off" {...form.register("series")} />
          <Input
            aria-label="Number in the series"
            className="num"
            placeholder="#"
            autoComplete="off"
            {...form.register("seriesNumber")}
          />
        </div>
      </FieldGroup>
      <Suggestions
        label="From your library"
        names={suggestions(
          name,
          (known ?? []).map((one) => one.name),
        )}
        onChoose={(chosen) => {
          form.setValue("series", chosen, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
          form.setFocus("seriesNumber");
        }}
      />
    </div>
  );
}
