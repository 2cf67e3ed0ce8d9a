import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { Controller, useWatch } from "react-hook-form";
import type { Book, Format, Tally } from "../../kit/api/types";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, FieldGroup, Input, Textarea } from "../../kit/ui/Field";
import { FormatIcon } from "../../kit/ui/FormatIcon";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { optionsQuery } from "../books/api";
import { Suggestions } from "../books/Suggestions";
import { lastEntry, suggestions, withEntry } from "../books/suggest";
import { QuotesField } from "./QuotesField";
import { StatusRows } from "./StatusRows";
import type { BookFormState } from "./useBookForm";
import { PagesField, WordCountField } from "./WordCountField";

const FORMATS: readonly Format[] = ["Print", "eBook", "Audio"];

interface BookFieldsProps {
  form: BookFormState;
  /** The stored book when it is edited. */
  book?: Book;
  /** Between what is true of a book and what is true of one read of it. */
  children?: ReactNode;
}

/** All fields of a book, for adding and for editing. */
export function BookFields({ form, book, children }: BookFieldsProps) {
  const { register, control } = form;
  const { errors } = form.formState;
  const [format, author, genres] = useWatch({ control, name: ["format", "author", "genres"] });
  const known = useKnownNames();
  useFieldOfAddress(form);
  const choose = (field: "author" | "genres", text: string) => {
    form.setValue(field, text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    form.setFocus(field);
  };
  return (
    <>
      <div className="form-grid">
        <Field className="span-2" label="Title" required error={errors.title?.message}>
          <Input titled autoComplete="off" {...register("title")} />
        </Field>
        <div>
          <Field label="Author" required error={errors.author?.message}>
            <Input autoComplete="off" {...register("author")} />
          </Field>
          <Suggestions
            label="From your library"
            names={suggestions(author, known.authors)}
            onChoose={(name) => choose("author", name)}
          />
        </div>
        <WordCountField form={form} />
        <PagesField form={form} />
        <Field label="ISBN" error={errors.isbn?.message}>
          <Input className="num" autoComplete="off" {...register("isbn")} />
        </Field>
        <FieldGroup label="Format" required error={errors.format?.message}>
          <SegmentedControl
            label="Format"
            name="format"
            fill
            value={format}
            options={FORMATS.map((value) => ({ value, label: <FormatLabel format={value} /> }))}
            onChoose={(value) => form.setValue("format", value, { shouldDirty: true })}
          />
        </FieldGroup>
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
            names={suggestions(lastEntry(genres).entry, known.genres)}
            onChoose={(name) => choose("genres", withEntry(genres, name))}
          />
        </div>
      </div>
      {children}
      <StatusRows form={form} book={book} />
      <Controller
        control={control}
        name="reread"
        render={({ field: { value, ...field } }) => (
          <Checkbox {...field} checked={value}>
            This is a reread
          </Checkbox>
        )}
      />
      <Field label="Impressions" error={errors.impressions?.message}>
        <Textarea rows={4} {...register("impressions")} />
      </Field>
      <QuotesField form={form} />
    </>
  );
}

/** Moves the focus to the field that the address names, `#quotes` or `#impressions`, when the form appears. */
function useFieldOfAddress({ setFocus }: BookFormState) {
  useEffect(() => {
    if (window.location.hash === "#quotes") setFocus("nextQuote");
    if (window.location.hash === "#impressions") setFocus("impressions");
  }, [setFocus]);
}

/** The authors and genres of the library, most words first. */
function useKnownNames() {
  const { data } = useQuery(optionsQuery);
  return useMemo(() => {
    const names = (tallies: readonly Tally[] = []) => tallies.map(({ name }) => name);
    return { authors: names(data?.authors), genres: names(data?.genres) };
  }, [data]);
}

function FormatLabel({ format }: { format: Format }) {
  return (
    <>
      <FormatIcon format={format} />
      {format}
    </>
  );
}
