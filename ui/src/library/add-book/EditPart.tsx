import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { usePlace } from "../../access/place";
import type { Book } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Checkbox } from "../../kit/ui/Choice";
import { Dialog } from "../../kit/ui/Dialog";
import { Field, Textarea } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { Link } from "../../kit/ui/Link";
import { toast } from "../../kit/ui/toast";
import { Spinner } from "../../kit/ui/Waiting";
import { refusalText } from "../books/AlreadyReading";
import { bookQuery, type StoredBook, useUpdateBook } from "../books/api";
import { type BookForm, changes, formOf, needsRating } from "../books/model";
import { placeNote } from "../books/place";
import { isFinished } from "../books/read";
import type { BookFormState } from "../books/useBookForm";
import { useNoteDay } from "../books/workQueries";
import { BookDate } from "./BookDate";
import { FormatField } from "./BookFields";
import { PublicationFields } from "./EditionFields";
import { QuotesField } from "./QuotesField";
import { DistributionField, ModeFields, RatingField } from "./StatusRows";
import { useDialogForm } from "./useDialogForm";
import { LengthField, PagesField, WordCountField } from "./WordCountField";

/** A part of a book that can be edited alone. */
export type Part = "edition" | "read" | "impressions" | "quotes";

/** The fields of each part, which make up its draft. */
const FIELDS: Record<Part, readonly (keyof BookForm)[]> = {
  edition: [
    ...(["publisher", "published", "originalYear", "pages", "minutes", "wordCount", "wordCountSource"] as const),
    ...(["format", "language", "isbn", "contributors"] as const),
  ],
  read: [
    ...(["mode", "startDate", "dateCompleted", "stoppedDate", "pausedSince", "place", "placeUnit", "rating"] as const),
    ...(["wordDistribution", "isOwnDistribution", "reread", "sureOf", "proposed"] as const),
  ],
  impressions: ["impressions"],
  quotes: ["passages", "nextQuote"],
};

interface EditPartProps {
  read: Book;
  part: Part;
  title: string;
  /** More buttons at the left of Cancel. */
  foot?: (isRunning: boolean) => ReactNode;
  onClose: () => void;
}

/** Edits one part of a book, in the fields that the whole form has for it. */
export function EditPart(props: EditPartProps) {
  const { data: stored } = useQuery(bookQuery(props.read.id));
  if (stored) return <PartForm {...props} stored={stored} />;
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <Spinner>Fetching the book</Spinner>
    </Dialog>
  );
}

/** The form. A save over a change from elsewhere is refused. Closed without Cancel, it keeps what was typed for the next time. */
function PartForm({ stored, part, title, foot, onClose }: EditPartProps & { stored: StoredBook }) {
  const [{ book, etag }] = useState(stored);
  const place = usePlace();
  const [initial] = useState(() => formOf(book));
  const { form, draft, submit } = useDialogForm(`${part}.${book.id}`, initial, book, (values) => typedOf(values, part));
  const update = useUpdateBook(book.id);
  const noteDay = useNoteDay();
  const save = async (values: BookForm) => {
    await update.mutateAsync({ change: changes(initial, values, place, book), etag });
    const note = placeNote(initial, values, place.today, book);
    if (note) await noteDay.mutateAsync({ id: book.id, ...note });
    toast({ title: "Saved", description: book.title });
  };
  return (
    <FormDialog
      wide
      title={title}
      label="Save"
      action={() => submit(save)}
      draft={draft}
      failedTitle="Failed to update book"
      failed={(error) => refusalText(error, onClose)}
      noValidate
      foot={foot}
      onClose={onClose}
    >
      {part === "edition" && <EditionPart form={form} book={book} />}
      {part === "read" && <ReadPart form={form} book={book} />}
      {part === "impressions" && (
        <Field label="Impressions" error={form.formState.errors.impressions?.message}>
          <Textarea rows={7} {...form.register("impressions")} />
        </Field>
      )}
      {part === "quotes" && <QuotesField form={form} />}
    </FormDialog>
  );
}

const typedOf = (values: BookForm, part: Part): Partial<BookForm> =>
  Object.fromEntries(FIELDS[part].map((field) => [field, values[field]]));

interface PartProps {
  form: BookFormState;
  book: Book;
}

function EditionPart({ form, book }: PartProps) {
  const [format, minutes] = useWatch({ control: form.control, name: ["format", "minutes"] });
  return (
    <>
      <div className="form-grid">
        <PublicationFields form={form} />
        <FormatField form={form} />
        {(format === "Audio" || minutes !== "") && <LengthField form={form} />}
        <PagesField form={form} />
        <WordCountField form={form} />
      </div>
      <p className="hint">
        Something missing? <Link href={paths.editBook(book.id)}>Look it up</Link>
      </p>
    </>
  );
}

/** The days, the rating and the words of a read. A finished one has a start or none, and may get its first date. */
function ReadPart({ form, book }: PartProps) {
  const [mode, startDate, dateCompleted, reread] = useWatch({
    control: form.control,
    name: ["mode", "startDate", "dateCompleted", "reread"],
  });
  const isOver = isFinished(book);
  const undated = book.status === "undated" && startDate === "" && dateCompleted === "";
  const finished = undated ? "no-date" : startDate === "" ? "single" : "span";
  useEffect(() => {
    if (isOver) form.setValue("mode", finished);
  }, [form, isOver, finished]);
  return (
    <>
      {isOver ? (
        <>
          <div className="form-grid">
            <BookDate form={form} name="startDate" label="Start Date" />
            <BookDate form={form} name="dateCompleted" label="End Date" rough={startDate === ""} />
          </div>
          <RatingField form={form} required={needsRating(finished, book)} />
          {finished === "span" && <DistributionField form={form} book={book} />}
        </>
      ) : (
        <ModeFields mode={mode} form={form} book={book} />
      )}
      <Checkbox
        checked={reread}
        onChange={(event) => form.setValue("reread", event.target.checked, { shouldDirty: true })}
      >
        This is a reread
      </Checkbox>
    </>
  );
}
