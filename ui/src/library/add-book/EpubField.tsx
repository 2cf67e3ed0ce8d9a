import { BOOK_FIELDS } from "../../kit/api/limits";
import { counted } from "../../kit/format";
import { FileRow } from "../../kit/ui/FileField";
import { toast } from "../../kit/ui/toast";
import { Spinner } from "../../kit/ui/Waiting";
import type { BookFormState } from "../books/useBookForm";
import type { CoverState } from "../covers/useCover";
import type { EpubBook, EpubProblem } from "../epub/read";
import { type Epub, useEpub } from "../epub/useEpub";
import css from "./AddBook.module.css";

const BY_HAND = "Fill in the form by hand.";
const PROBLEMS: Record<EpubProblem, string> = {
  unreadable: `This EPUB can’t be read. ${BY_HAND}`,
  protected: `This EPUB is copy-protected, so its words can’t be counted. ${BY_HAND}`,
  large: `This EPUB unpacks to more text than a book can have. ${BY_HAND}`,
};

/** Accepts the book's EPUB file, fills in its metadata, and counts its words. */
export function EpubField({ form, cover }: { form: BookFormState; cover: CoverState }) {
  const { epub, choose, forget } = useEpub((book) => {
    fill(form, book);
    form.setValue("digest", book.digest, { shouldDirty: true });
    // A picture that its reader chose stays, also one that is still being made smaller.
    if (book.cover && cover.url === null && !cover.isBusy) cover.choose(book.cover, "epub");
  });
  const forgetFile = () => {
    forget();
    form.setValue("digest", "", { shouldDirty: true });
  };
  return epub ? <Row epub={epub} onForget={forgetFile} /> : <Drop onChoose={choose} />;
}

/** Cuts texts to the lengths that a form may have. A field that the file lacks keeps its typed value. */
function fill(form: BookFormState, book: EpubBook): void {
  const set = (field: "title" | "author" | "isbn" | "genres" | "wordCount", value: string) => {
    if (value) form.setValue(field, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  set("title", book.title.slice(0, BOOK_FIELDS.title.maxLength));
  if (book.author) form.setValue("authors", [], { shouldDirty: true });
  set("author", book.author.slice(0, BOOK_FIELDS.author.maxLength));
  set("isbn", book.isbn);
  if (!form.getValues("genres").trim()) set("genres", genres(book.subjects));
  set("wordCount", String(book.words));
  form.setValue("wordCountSource", "epub", { shouldDirty: true });
}

/** The file's subjects as genres. Libraries write many subjects, and more than a few say little about a book. */
function genres(subjects: readonly string[]): string {
  const parts = subjects.flatMap((subject) => subject.split(/[,;]| -- /)).map((part) => part.trim().slice(0, 100));
  return [...new Set(parts.filter(Boolean))].slice(0, 5).join(", ");
}

/** The fields that were filled in: "title, author, ISBN, and 97,300 words counted". */
function filled({ title, author, isbn, subjects, words, cover }: EpubBook): string {
  const fields = [
    title && "title",
    author && "author",
    isbn && "ISBN",
    subjects.length > 0 && "genres",
    cover && "cover",
  ].filter(Boolean);
  return [...fields, `${fields.length > 0 ? "and " : ""}${counted(words, "word")} counted`].join(", ");
}

function Row({ epub: { name, read }, onForget }: { epub: Epub; onForget: () => void }) {
  const hint = (
    <>
      {!read && <Spinner>Counting words</Spinner>}
      {read?.book && `Filled in: ${filled(read.book)}. The file itself is not kept, and never leaves this device.`}
      {read?.problem && PROBLEMS[read.problem]}
    </>
  );
  const bad = read?.problem !== undefined;
  return <FileRow icon="ebook" name={name} hint={hint} bad={bad} onRemove={onForget} removeLabel="Forget this file" />;
}

function Drop({ onChoose }: { onChoose: (file: File) => void }) {
  const take = (file: File | undefined) => {
    if (file && /\.epub$/i.test(file.name)) onChoose(file);
    else if (file) toast({ title: "Please choose an EPUB", description: "Its name ends in .epub", destructive: true });
  };
  return (
    <p className="hint">
      <label className={css.file}>
        Have the EPUB? <span>Open it</span>
        <input
          className="vh"
          type="file"
          accept=".epub"
          onChange={({ target }) => {
            take(target.files?.[0]);
            // The same file can be chosen again after it was forgotten.
            target.value = "";
          }}
        />
      </label>
    </p>
  );
}
