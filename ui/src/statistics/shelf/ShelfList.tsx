import { type FocusEvent, type KeyboardEvent, memo, useRef, useState } from "react";
import type { ShelfBook } from "../../kit/api/types";
import { counted, whole } from "../../kit/format";
import { roughDate } from "../../kit/roughDate";
import { Link } from "../../kit/ui/Link";
import css from "./Shelf.module.css";

/** Everything that a spine shows, in words. `reader`: the person who read it, on a shelf of several readers. */
export function described(book: ShelfBook, reader?: string): string {
  return [
    book.author,
    ...(reader ? [`read by ${reader}`] : []),
    book.date === null ? "no date" : `finished ${roughDate(book.date, book.completedFrom)}`,
    ...(book.rating === null ? [] : [`rated ${book.rating} out of 10`]),
    ...book.genres,
    book.format,
    ...(book.reread ? ["reread"] : []),
  ].join(", ");
}

interface ShelfListProps {
  books: readonly ShelfBook[];
  /** Shown as an index with dot leaders, or hidden behind the drawing, for keyboards and screen readers. */
  visible: boolean;
  /** The address that opens a book; without it the list is text only. */
  hrefOf?: (book: ShelfBook) => string;
  /** What the books are, for screen readers. */
  label: string;
  /** What is shown beside a title: its reader, on a shelf of several readers, or how far it was read. */
  noteOf?: ((book: ShelfBook) => string | undefined) | undefined;
  /** Everything else that the spine of a book shows, in words, with the note or without it. */
  describe: (book: ShelfBook, note?: string) => string;
  /** The id of the book above or below another on the drawing. */
  neighbourOf: (id: number, direction: "up" | "down") => number | null;
  onFocus: (id: number) => void;
  onBlur: () => void;
}

/**
 * The shelf as a list of links. Behind the drawing it is one stop of the Tab key: left and right move along the shelf,
 * up and down move between shelves, Home and End go to its ends.
 */
export const ShelfList = memo(function ShelfList(props: ShelfListProps) {
  const { books, visible, hrefOf, label, noteOf, describe, neighbourOf, onFocus, onBlur } = props;
  const list = useRef<HTMLOListElement>(null);
  const [stop, setStop] = useState<number | null>(null);
  const stopAt = books.some(({ id }) => id === stop) ? stop : (books[0]?.id ?? null);

  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    const here = books.findIndex(({ id }) => String(id) === idOf(event.target));
    const from = books[here];
    if (visible || !from || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = target(event.key, here, from.id);
    if (to === undefined) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`[data-id="${to}"]`)?.focus({ preventScroll: true });
  };

  /** The id of the book that a key moves to; undefined for keys that the list does not handle. */
  const target = (key: string, here: number, id: number): number | undefined => {
    if (key === "ArrowRight") return books[Math.min(here + 1, books.length - 1)]?.id;
    if (key === "ArrowLeft") return books[Math.max(here - 1, 0)]?.id;
    if (key === "Home") return books[0]?.id;
    if (key === "End") return books.at(-1)?.id;
    if (key === "ArrowUp" || key === "ArrowDown") return neighbourOf(id, key === "ArrowUp" ? "up" : "down") ?? id;
    return undefined;
  };

  const focused = (event: FocusEvent<HTMLOListElement>) => {
    const id = Number(idOf(event.target));
    setStop(id);
    if (!visible) onFocus(id);
  };

  const hint = visible || !hrefOf ? "" : " Use the arrow keys to move along the shelf.";
  return (
    <ol
      ref={list}
      className={visible ? css.index : `vh ${css.behind}`}
      aria-label={`${label}${hint}`}
      onKeyDown={onKeyDown}
      onFocus={focused}
      onBlur={onBlur}
    >
      {books.map((book) => (
        <Item
          key={book.id}
          book={book}
          visible={visible}
          hrefOf={hrefOf}
          note={noteOf?.(book)}
          describe={describe}
          isStop={visible || book.id === stopAt}
        />
      ))}
    </ol>
  );
});

interface ItemProps extends Pick<ShelfListProps, "visible" | "hrefOf" | "describe"> {
  book: ShelfBook;
  note: string | undefined;
  /** Whether the Tab key stops at this item. */
  isStop: boolean;
}

/** Memoized: an arrow key changes two of five hundred items. */
const Item = memo(function Item({ book, note, visible, hrefOf, describe, isStop }: ItemProps) {
  const entry = <Entry {...{ book, note, visible, describe }} />;
  return (
    <li>
      {hrefOf ? (
        <Link className={css.leader} href={hrefOf(book)} data-id={book.id} tabIndex={isStop ? 0 : -1}>
          {entry}
        </Link>
      ) : (
        <span className={css.leader}>{entry}</span>
      )}
    </li>
  );
});

const idOf = (target: EventTarget) => (target instanceof HTMLElement ? target.dataset.id : undefined);

/** A sentence in the hidden list, a line with dot leaders in the visible one. */
function Entry({ book, note, visible, describe }: Pick<ItemProps, "book" | "note" | "visible" | "describe">) {
  if (!visible) return `${book.title}, ${describe(book, note)}, ${counted(book.wordCount, "word")}`;
  return (
    <>
      <span className="serif" dir="auto">
        {book.title}
      </span>
      {note && <span className="muted">{note}</span>}
      <span className="vh">, {describe(book)}, </span>
      <span className={css.dots} aria-hidden="true" />
      <span className={css.words}>
        {whole(book.wordCount)}
        <span className="vh"> words</span>
      </span>
    </>
  );
}
