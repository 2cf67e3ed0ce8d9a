import { type ReactNode, useId, useState } from "react";
import { useWatch } from "react-hook-form";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, Input, Select } from "../../kit/ui/Field";
import { Fold } from "../../kit/ui/Fold";
import { factsInWords } from "../books/facts";
import { languageChoices } from "../books/languages";
import { Suggestions } from "../books/Suggestions";
import { lastEntry, suggestions, withEntry } from "../books/suggest";
import type { BookFormState } from "../books/useBookForm";
import { ContributorsField } from "./ContributorsField";
import { SeriesField } from "./SeriesField";
import { TagsField } from "./TagsField";

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
  const id = useId();
  const [isShown, setShown] = useState(false);
  const values = useWatch({ control });
  const { genres = "", private: isPrivate = false } = values;
  const facts = factsInWords(form.getValues());
  const choose = (name: string) => {
    form.setValue("genres", withEntry(genres, name), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
    form.setFocus("genres");
  };
  return (
    <Fold
      title="More about this edition"
      holds={facts || "series, tags, genres, publisher, cover"}
      act={facts ? "Change" : "Open"}
      onOpen={() => setShown(true)}
    >
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
        <TagsField form={form} isShown={isShown} />
        <SeriesField form={form} isShown={isShown} />
        <PublicationFields form={form} />
      </div>
      {children}
      <div>
        <Checkbox
          aria-describedby={id}
          checked={isPrivate}
          onChange={(event) => form.setValue("private", event.target.checked, { shouldDirty: true })}
        >
          Only I see this book
        </Checkbox>
        <p className="hint" id={id}>
          Links, pictures and your team leave it out.
        </p>
      </div>
    </Fold>
  );
}

/** What belongs to one edition. */
export function PublicationFields({ form }: { form: BookFormState }) {
  const { errors } = form.formState;
  const { register } = form;
  const language = useWatch({ control: form.control, name: "language" });
  return (
    <>
      <Field label="ISBN" error={errors.isbn?.message}>
        <Input className="num" autoComplete="off" {...register("isbn")} />
      </Field>
      <Field label="Publisher" error={errors.publisher?.message}>
        <Input autoComplete="off" {...register("publisher")} />
      </Field>
      <Field label="Published" error={errors.published?.message}>
        <Input className="num" autoComplete="off" placeholder="Year, or day" {...register("published")} />
      </Field>
      <Field label="First published" error={errors.originalYear?.message}>
        <Input className="num" autoComplete="off" placeholder="Year" {...register("originalYear")} />
      </Field>
      <Field label="Language" error={errors.language?.message}>
        <Select
          name="language"
          options={languageChoices(language)}
          value={language}
          onChoose={(chosen) => form.setValue("language", chosen, { shouldDirty: true })}
        />
      </Field>
      <div className="span-2">
        <ContributorsField form={form} />
      </div>
    </>
  );
}
