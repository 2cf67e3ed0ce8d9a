import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { usePlace } from "../../access/place";
import { ApiError } from "../../kit/api/client";
import type { BookDetail } from "../../kit/api/types";
import { leaveTo, openPage } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { LeaveQuestion } from "../../kit/ui/LeaveQuestion";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { useIsShown } from "../../kit/ui/useIsShown";
import { Spinner } from "../../kit/ui/Waiting";
import { isAlreadyReading, refusalText } from "../books/AlreadyReading";
import { bookQuery, idOf, presentBook, type StoredBook, titlesQuery, useUpdateBook } from "../books/api";
import { type BookForm, changes, formOf, passagesOf, sharedChanges } from "../books/model";
import { placeNote } from "../books/place";
import { isFinished } from "../books/read";
import { showErrors, showRefusal } from "../books/useBookForm";
import { useNoteDay } from "../books/workQueries";
import { useCover } from "../covers/useCover";
import { bookForm } from "../lookup/fill";
import { LookUp } from "../lookup/LookUp";
import css from "./AddBook.module.css";
import { BookFields } from "./BookFields";
import { BookPicker } from "./BookPicker";
import { ChangedElsewhere } from "./ChangedElsewhere";
import { DeleteBook } from "./DeleteBook";
import { ForAllReads, type Scope } from "./ForAllReads";
import { Preview } from "./Preview";
import { editDraft, type Saved, TYPED_SINCE, useBookDraft } from "./useBookDraft";

const ReopenDialog = lazyDialog(() => import("../books/ReopenDialog").then((all) => all.ReopenDialog));

/** Changes or deletes a book of the library. The address or the picker selects it. */
export function EditTab() {
  const [parameters] = useSearchParams();
  const id = idOf(parameters.get("bookId"));
  const titles = useQuery(titlesQuery);
  const [hasChosen, setHasChosen] = useState(false);
  const [isPicking, setPicking] = useState(false);

  if (titles.data?.length === 0) {
    return (
      <Empty
        title="There is no book to edit yet"
        action={
          <LinkButton variant="primary" icon="plus" href={paths.addBook()}>
            Add Book
          </LinkButton>
        }
      >
        Books that you add or import can be changed here.
      </Empty>
    );
  }
  const picker = (
    <BookPicker
      label="Book"
      titles={titles}
      chosen={id}
      isOpen={isPicking}
      onOpenChange={setPicking}
      onChoose={(book) => {
        setHasChosen(true);
        openPage(paths.editBook(book.id));
      }}
      hasFocus={hasChosen}
    />
  );
  if (id !== undefined) return <ChosenBook key={id} id={id} picker={picker} />;
  return (
    <div className={css.split}>
      <div className="form">
        {picker}
        <p className="hint">Pick the book that you want to change.</p>
      </div>
    </div>
  );
}

interface ChosenProps {
  id: number;
  picker: ReactNode;
}

function ChosenBook({ id, picker }: ChosenProps) {
  const { data: stored, error, refetch } = useQuery(bookQuery(id));
  if (stored) return <EditForm stored={stored} picker={picker} />;
  return (
    <div className={css.split}>
      <div className="form">
        {picker}
        {!error && <Spinner>Fetching the book</Spinner>}
        {error && <NoBook error={error} onRetry={refetch} />}
      </div>
    </div>
  );
}

function NoBook({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  if (error instanceof ApiError && error.status === 404) {
    return <Alert>This book is not in your library. It may have been deleted.</Alert>;
  }
  return (
    <NotFetched error={error} onRetry={onRetry}>
      The book could not be loaded.
    </NotFetched>
  );
}

/** The form for a stored book. Later changes of `stored` are ignored: saving notices them. */
function EditForm({ stored, picker }: { stored: StoredBook; picker: ReactNode }) {
  const [current, setCurrent] = useState(stored);
  const { book } = current;
  const place = usePlace();
  const updateBook = useUpdateBook(book.id);
  const noteDay = useNoteDay();
  const { data: titles } = useQuery(titlesQuery);
  const reads = titles?.filter(({ work }) => work === book.work).length ?? 1;
  const [scope, setScope] = useState<Scope>("all");
  const draft = useBookDraft(editDraft(book), formOf(book), book);
  const { form } = draft;
  const cover = useCover(book);
  const isShown = useIsShown();
  const startOver = () => {
    cover.startOver();
    draft.startOver();
  };

  /**
   * Saves what was changed, and returns the stored book. A book that was changed elsewhere in nothing that the form shows is saved again.
   */
  const save = async (values: BookForm, base: BookForm, version: StoredBook): Promise<BookDetail> => {
    const change = changes(base, values, place, version.book);
    const allReads = scope === "all" && reads > 1 && sharedChanges(base, values).length > 0;
    try {
      const updated = await updateBook.mutateAsync({ change, etag: version.etag, allReads });
      await cover.save(book.id);
      const note = placeNote(base, values, place.today, version.book);
      const saved = (note ? await noteDay.mutateAsync({ id: book.id, ...note }) : updated).book;
      return { ...saved, passages: passagesOf(values) };
    } catch (error) {
      const present = presentBook(error);
      if (!present) throw error;
      setCurrent(present);
      if (draft.moveTo(formOf(present.book)).length > 0) throw error;
      return save(form.getValues(), formOf(present.book), present);
    }
  };

  const [isReopening, setReopening] = useState(false);

  const submit = async (values: BookForm) => {
    let saved: Saved<BookDetail>;
    try {
      saved = await draft.saving((base) => save(values, base, current));
    } catch (error) {
      showRefusal(form, error, "Failed to update book");
      return;
    }
    toast({ title: "Book updated successfully!", ...(saved.isComplete ? {} : { description: TYPED_SINCE }) });
    if (!saved.isComplete) {
      // The tag stays that of the former version: the next save gets the present one with the server's refusal.
      setCurrent(({ etag }) => ({ book: saved.answer, etag }));
      draft.goOn(formOf(saved.answer));
      return;
    }
    if (isShown.current) leaveTo(paths.dashboard());
  };
  // The figures lose a finished book that is in progress again.
  const asks = ({ mode }: BookForm) => isFinished(book) && mode === "in-progress";
  const askOrSubmit = form.handleSubmit((values) => (asks(values) ? setReopening(true) : submit(values)), showErrors);
  const reopen = () => form.handleSubmit(submit, showErrors)();

  return (
    <div className={css.split}>
      <form className="form" noValidate onSubmit={askOrSubmit}>
        {picker}
        <LeaveQuestion
          isChanged={() => draft.isChanged() || (cover.isChanged && !draft.isSaving())}
          isKept={draft.isKept && !cover.isChanged}
        />
        {draft.isRestored && <RestoredNote onStartOver={startOver} />}
        <ChangedElsewhere draft={draft} stored={formOf(book)} />
        <LookUp key={draft.round} form={bookForm(form)} cover={cover} asksFirst />
        <BookFields form={form} cover={cover} book={book}>
          <ForAllReads form={form} book={book} reads={reads} scope={scope} onChoose={setScope} />
        </BookFields>
        {isAlreadyReading(updateBook.error) && <Alert>{refusalText(updateBook.error)}</Alert>}
        <div className="form-foot">
          <Button type="submit" variant="primary" size="large" busy={form.formState.isSubmitting && "Updating..."}>
            Update Book
          </Button>
          <DeleteBook book={book} onDelete={draft.saving} />
        </div>
      </form>
      <Preview title="On the shelf" form={form} book={book} />
      {isReopening && <ReopenDialog read={book} onClose={() => setReopening(false)} onConfirm={reopen} />}
    </div>
  );
}
