import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { counted } from "../../kit/format";
import { Field, Input } from "../../kit/ui/Field";
import { Fold } from "../../kit/ui/Fold";
import { Suggestions } from "../books/Suggestions";
import { lastEntry, suggestions, withEntry } from "../books/suggest";
import type { BookFormState } from "./useBookForm";

interface EditionFieldsProps {
  form: BookFormState;
  /** The genres of the library, most words first. */
  genres: readonly string[];
  /** Below the fields: the cover. */
  children?: ReactNode;
}

/** What a book can do without, folded until its reader wants it. */
export function EditionFields({ form, genres: known, children }: EditionFieldsProps) {
  const { register, control } = form;
  const { errors } = form.formState;
  const [genres, isbn] = useWatch({ control, name: ["genres", "isbn"] });
  const filled = [genres, isbn].filter((text) => text.trim() !== "").length;
  const choose = (name: string) => {
    form.setValue("genres", withEntry(genres, name), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
    form.setFocus("genres");
  };
  return (
    <Fold title="More about this edition" holds={filled > 0 && `${counted(filled, "field")} filled in`}>
      <div className="form-grid">
        <div>
          <Field
            label="Genres"
            hint="Separate with commas. The first one colors the spine."
            error={errors.genres?.message}
          >
            <Input placeholder="Fiction, Science Fiction, Thriller" autoComplete="off" {...register("genres")} />
          </Field>
          <Suggestions
            label="From your library"
            names={suggestions(lastEntry(genres).entry, known)}
            onChoose={choose}
          />
        </div>
        <Field label="ISBN" error={errors.isbn?.message}>
          <Input className="num" autoComplete="off" {...register("isbn")} />
        </Field>
      </div>
      {children}
    </Fold>
  );
}
