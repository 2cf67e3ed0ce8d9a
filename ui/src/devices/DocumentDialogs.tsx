import { useState } from "react";
import type { BookTitle, ReadDocument } from "../kit/api/types";
import { bookFinder, bookKeys } from "../kit/fold";
import { Alert } from "../kit/ui/Alert";
import { Field, Input, Select } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import type { EpubBook } from "../library/epub/read";
import { useDecide } from "./api";
import { documentName } from "./model";

/** So many books are offered at once. */
const OFFERED = 50;

interface DialogProps {
  document: ReadDocument;
  /** The document's file, if its reader has opened it. */
  epub: EpubBook | undefined;
  onClose: () => void;
}

/** What the file says of itself: a copy that was changed since has another digest than the one on the device. */
function FileNote({ document: { digest }, epub }: Pick<DialogProps, "document" | "epub">) {
  if (!epub || epub.digest === digest) return null;
  return (
    <Alert kind="note">
      This isn’t the exact file on your device. Go on if it’s the same book: a changed copy, or another edition.
    </Alert>
  );
}

/** Links a document to a book: open ones first, and by what is typed. */
export function LinkDialog({ document, epub, titles, onClose }: DialogProps & { titles: readonly BookTitle[] }) {
  const [typed, setTyped] = useState(epub?.title ?? "");
  const [chosen, setChosen] = useState<string>();
  const { mutateAsync } = useDecide();
  const finds = bookFinder(typed);
  const rank = (book: BookTitle) => (book.status === "in-progress" ? 0 : 1);
  const found = titles
    .filter((book) => !typed.trim() || finds(bookKeys(book.title, book.author)))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, OFFERED);
  const bookId = found.find((book) => String(book.id) === chosen)?.id ?? found[0]?.id;
  return (
    <FormDialog
      title="Link to a book"
      text={documentName(document)}
      label="Link"
      busy="Linking..."
      disabled={bookId === undefined}
      action={async () => bookId !== undefined && (await mutateAsync({ id: document.id, bookId }))}
      onClose={onClose}
    >
      <FileNote document={document} epub={epub} />
      <Field label="Find">
        <Input
          autoComplete="off"
          placeholder="Title or author"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Field label="Book" name="bookId">
        <Select
          options={found.map((book) => ({ value: String(book.id), label: `${book.title}, ${book.author}` }))}
          value={bookId === undefined ? "" : String(bookId)}
          onChoose={setChosen}
        />
      </Field>
    </FormDialog>
  );
}

/** Makes a book in progress of a document. */
export function CreateDialog({ document, epub, onClose }: DialogProps) {
  const [title, setTitle] = useState(document.title ?? epub?.title ?? "");
  const [author, setAuthor] = useState(document.authors.join(", ") || (epub?.author ?? ""));
  const { mutateAsync } = useDecide();
  const isAsSent = author === document.authors.join(", ") && document.authors.length > 0;
  const names = isAsSent ? { authors: document.authors } : { author };
  const counted = epub && { wordCount: epub.words, wordCountSource: "epub" as const, isbn: epub.isbn || null };
  return (
    <FormDialog
      title="Make a book of it"
      text="It starts on the first day you read it."
      label="Create book"
      action={() =>
        mutateAsync({
          id: document.id,
          create: { title, ...names, ...counted, status: "in-progress", format: "eBook" },
        })
      }
      onClose={onClose}
    >
      <FileNote document={document} epub={epub} />
      <Field label="Title" name="title">
        <Input required autoComplete="off" value={title} onChange={(event) => setTitle(event.target.value)} />
      </Field>
      <Field label="Author" name="author">
        <Input required autoComplete="off" value={author} onChange={(event) => setAuthor(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
