import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { Controller, useWatch } from "react-hook-form";
import type { Book, Format, Tally } from "../../kit/api/types";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, FieldGroup, Input } from "../../kit/ui/Field";
import { Folds, unfold } from "../../kit/ui/Fold";
import { FormatIcon } from "../../kit/ui/FormatIcon";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { FORMAT_WORDS, valuesOf } from "../../kit/words";
import { optionsQuery } from "../books/api";
import type { BookFormState } from "../books/useBookForm";
import { CoverField } from "../covers/CoverField";
import type { CoverState } from "../covers/useCover";
import { AuthorsField } from "./AuthorsField";
import { EditionFields } from "./EditionFields";
import { HaveThis } from "./HaveThis";
import { StatusRows } from "./StatusRows";
import { TextFields } from "./TextFields";
import { followLength, LengthField, PagesField, WordCountField } from "./WordCountField";

interface BookFieldsProps {
  form: BookFormState;
  /** It is saved with the form. */
  cover: CoverState;
  /** The stored book when it is edited. */
  book?: Book;
  /** Whether title, authors, words and pages were looked up, and are hidden until their reader wants to change them. */
  isQuick?: boolean;
  /** A new book that is here already is offered again; called before the page is left for it. */
  onLeave?: () => void;
  /** Between what is true of a book and what is true of one read of it. */
  children?: ReactNode;
}

/** The fields that a looked-up book fills in and hides. A refused one is shown. */
const LOOKED_UP = ["title", "author", "wordCount", "pages", "minutes"] as const;

/** All fields of a book, for adding and for editing. */
export function BookFields({ form, cover, book, isQuick, onLeave, children }: BookFieldsProps) {
  const { register, control } = form;
  const { errors } = form.formState;
  const [format, minutes] = useWatch({ control, name: ["format", "minutes"] });
  const known = useKnownNames();
  useFieldOfAddress(form);
  const isHidden = isQuick && !LOOKED_UP.some((field) => errors[field]);
  return (
    <>
      {!isHidden && (
        <div className="form-grid">
          <Field className="span-2" label="Title" required error={errors.title?.message}>
            <Input titled autoComplete="off" {...register("title")} />
          </Field>
          <AuthorsField form={form} known={known.authors} />
          {onLeave && <HaveThis form={form} onLeave={onLeave} />}
          <FormatField form={form} />
          {(format === "Audio" || minutes !== "") && <LengthField form={form} />}
          <PagesField form={form} />
          <WordCountField form={form} />
        </div>
      )}
      {children}
      <StatusRows form={form} book={book} />
      {isHidden && <FormatField form={form} />}
      <Controller
        control={control}
        name="reread"
        render={({ field: { value, ...field } }) => (
          <Checkbox {...field} checked={value}>
            This is a reread
          </Checkbox>
        )}
      />
      <Folds>
        <EditionFields form={form} genres={known.genres}>
          <CoverField form={form} cover={cover} />
        </EditionFields>
        <TextFields form={form} />
      </Folds>
    </>
  );
}

/** Paper, e-book or audiobook. */
export function FormatField({ form }: { form: BookFormState }) {
  const format = useWatch({ control: form.control, name: "format" });
  return (
    <FieldGroup className="span-2" label="Format" required error={form.formState.errors.format?.message}>
      <SegmentedControl
        label="Format"
        name="format"
        fill
        value={format}
        options={valuesOf(FORMAT_WORDS).map((value) => ({ value, label: <FormatLabel format={value} /> }))}
        onChoose={(value) => {
          form.setValue("format", value, { shouldDirty: true });
          followLength(form);
        }}
      />
    </FieldGroup>
  );
}

const OF_ADDRESS: Record<string, "nextQuote" | "impressions" | undefined> = {
  "#quotes": "nextQuote",
  "#impressions": "impressions",
};

/** Moves the focus to the field that the address names, `#quotes` or `#impressions`, when the form appears. */
function useFieldOfAddress({ setFocus }: BookFormState) {
  useEffect(() => {
    const field = OF_ADDRESS[window.location.hash];
    if (!field) return;
    unfold([field]);
    setFocus(field);
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
      {FORMAT_WORDS[format]}
    </>
  );
}
