import type { UseQueryResult } from "@tanstack/react-query";
import { errorMessage } from "../../kit/api/client";
import type { ShelfBook } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { NotFetched } from "../../kit/ui/Fetched";
import shelf from "./Shelf.module.css";
import { ShelfList } from "./ShelfList";
import css from "./Unfinished.module.css";
import type { UnfinishedBook } from "./unfinished";

interface UnfinishedProps {
  books: UseQueryResult<readonly UnfinishedBook[]>;
  hrefOf: (book: ShelfBook) => string;
  /** Shown as an index, or hidden behind the drawing, for keyboards and screen readers. */
  asList: boolean;
  onFocus: (id: number) => void;
  onBlur: () => void;
}

/** The list of the unfinished books of a shelf, and what is said about them. */
export function Unfinished({ books: { data, error, refetch }, hrefOf, asList, onFocus, onBlur }: UnfinishedProps) {
  if (error) return <NotFetched onRetry={refetch}>{errorMessage(error, "The books could not be loaded.")}</NotFetched>;
  if (!data) return null;
  if (data.length === 0) return <p className={`hint ${css.note}`}>No unfinished book matches the filters.</p>;
  const states = new Map(data.map(({ book, state }) => [book.id, state]));
  return (
    <>
      {asList && <h3 className={`h3 ${css.heading}`}>Not finished</h3>}
      <ShelfList
        books={data.map(({ book }) => book)}
        visible={asList}
        hrefOf={hrefOf}
        label="Unfinished books on the shelf."
        noteOf={({ id }) => states.get(id)}
        describe={({ author }, state) => [author, state].filter(Boolean).join(", ")}
        neighbourOf={() => null}
        onFocus={onFocus}
        onBlur={onBlur}
      />
      <p className={`hint ${css.note}`}>
        Unfinished books stand behind the bookend, filled as far as read. They are not on the ruler, as they count in no
        figure.
      </p>
    </>
  );
}

/** The tip above the spine of an unfinished book. */
export function UnfinishedTip({ book, state }: UnfinishedBook) {
  return (
    <>
      <div className={shelf.tipTitle} dir="auto">
        {book.title}
      </div>
      <div dir="auto">{book.author}</div>
      <div>
        {counted(book.wordCount, "word")}, {state}
      </div>
    </>
  );
}
