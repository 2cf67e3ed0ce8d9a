import { Controller, useWatch } from "react-hook-form";
import type { Book, Format } from "../../kit/api/types";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, FieldGroup, Input, Textarea } from "../../kit/ui/Field";
import { FormatIcon } from "../../kit/ui/FormatIcon";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { QuotesField } from "./QuotesField";
import { StatusRows } from "./StatusRows";
import type { BookFormState } from "./useBookForm";
import { PagesField, WordCountField } from "./WordCountField";

const FORMATS: readonly Format[] = ["Print", "eBook", "Audio"];

/** All fields of a book, for adding and for editing. */
export function BookFields({ form, book }: { form: BookFormState; book?: Book }) {
  const { register, control } = form;
  const { errors } = form.formState;
  const format = useWatch({ control, name: "format" });
  return (
    <>
      <div className="form-grid">
        <Field className="span-2" label="Title" required error={errors.title?.message}>
          <Input titled autoComplete="off" {...register("title")} />
        </Field>
        <Field label="Author" required error={errors.author?.message}>
          <Input autoComplete="off" {...register("author")} />
        </Field>
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
        <Field
          label="Genres"
          hint="Separate with commas. The first one colours the spine."
          error={errors.genres?.message}
        >
          <Input placeholder="Fiction, Science Fiction, Thriller" autoComplete="off" {...register("genres")} />
        </Field>
      </div>
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

function FormatLabel({ format }: { format: Format }) {
  return (
    <>
      <FormatIcon format={format} />
      {format}
    </>
  );
}
