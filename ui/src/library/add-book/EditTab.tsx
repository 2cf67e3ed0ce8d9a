import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation, useSearchParams } from "wouter";
import { ApiError, errorMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { toast } from "../../kit/ui/toast";
import { Spinner } from "../../kit/ui/Waiting";
import { bookQuery, titlesQuery, useUpdateBook } from "../books/api";
import { formOf, toChange } from "../books/model";
import css from "./AddBook.module.css";
import { idOf } from "./address";
import { BookFields } from "./BookFields";
import { BookPicker } from "./BookPicker";
import { DeleteBook } from "./DeleteBook";
import { Preview } from "./Preview";
import { showRefusal, useBookForm } from "./useBookForm";

/** Changes or deletes a book of the library. The address or the picker selects it. */
export function EditTab() {
  const [parameters] = useSearchParams();
  const id = idOf(parameters.get("bookId"));
  const titles = useQuery(titlesQuery);

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
  const picker = <BookPicker titles={titles} chosen={id} />;
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
  const { data: book, error, refetch } = useQuery(bookQuery(id));
  if (book) return <EditForm book={book} picker={picker} />;
  return (
    <div className={css.split}>
      <div className="form">
        {picker}
        {!error && <Spinner>Fetching the book</Spinner>}
        {error && <NotFetched error={error} onRetry={refetch} />}
      </div>
    </div>
  );
}

function NotFetched({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return <Alert>This book is not in your library. It may have been deleted.</Alert>;
  }
  return (
    <Alert>
      <p>{errorMessage(error, "The book could not be loaded.")}</p>
      <Button size="compact" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}

function EditForm({ book, picker }: { book: Book; picker: ReactNode }) {
  const [, navigate] = useLocation();
  const updateBook = useUpdateBook(book.id);
  const form = useBookForm(formOf(book), book);

  const submit = form.handleSubmit(async (values) => {
    try {
      await updateBook.mutateAsync(toChange(values, book));
    } catch (error) {
      showRefusal(form, error, "Failed to update book");
      return;
    }
    toast({ title: "Book updated successfully!" });
    if (window.location.pathname === paths.addBook()) navigate(paths.dashboard());
  });

  return (
    <div className={css.split}>
      <form className="form" noValidate onSubmit={submit}>
        {picker}
        <BookFields form={form} book={book} />
        <div className="form-foot">
          <Button type="submit" variant="primary" size="large" busy={updateBook.isPending && "Updating..."}>
            Update Book
          </Button>
          <DeleteBook book={book} />
        </div>
      </form>
      <Preview title="On the shelf" form={form} book={book} />
    </div>
  );
}
