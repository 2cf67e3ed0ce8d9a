import { type FocusEvent, type KeyboardEvent, memo, useRef, useState } from "react";
import type { ShelfBook } from "../../kit/api/types";
import { longDate, whole } from "../../kit/format";
import { Link } from "../../kit/ui/Link";
import css from "./Shelf.module.css";

/** Everything a spine shows, in words. `reader`: who read it, where there are several. */
export function described(book: ShelfBook, reader?: string): string {
  return [
    book.author,
    ...(reader ? [`read by ${reader}`] : []),
    book.date === null ? "no date" : `finished ${longDate(book.date)}`,
    ...(book.rating === null ? [] : [`rated ${book.rating} out of 10`]),
    ...book.genres,
    book.format,
    ...(book.reread ? ["reread"] : []),
  ].join(", ");
}

interface ShelfListProps {
  books: readonly ShelfBook[];
  /** An index with dot leaders, or hidden behind the drawing whose keyboard it is. */
  visible: boolean;
  /** Where a book is opened; without it the list is text only. */
  hrefOf?: (book: ShelfBook) => string;
  /** Whose a book is, where there are several readers'. */
  readerOf?: (book: ShelfBook) => string | undefined;
  /** The book above or below another on the drawing. */
  neighbourOf: (id: number, direction: "up" | "down") => number | null;
  onFocus: (id: number) => void;
  onBlur: () => void;
}

/**
 * The shelf as a list of links. Behind the drawing it is one stop of the Tab key: left and right walk along the shelf,
 * up and down jump between shelves, Home and End go to its ends.
 */
export const ShelfList = memo(function ShelfList(props: ShelfListProps) {
  const { books, visible, hrefOf, readerOf, neighbourOf, onFocus, onBlur } = props;
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

  /** The id of the book that a key leads to; undefined for keys that are not the list's. */
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
      aria-label={`Books on the shelf, oldest first.${hint}`}
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
          reader={readerOf?.(book)}
          isStop={visible || book.id === stopAt}
        />
      ))}
    </ol>
  );
});

interface ItemProps extends Pick<ShelfListProps, "visible" | "hrefOf"> {
  book: ShelfBook;
  reader: string | undefined;
  /** The Tab key stops here. */
  isStop: boolean;
}

/** Drawn anew for its own sake only: an arrow key changes two of five hundred. */
const Item = memo(function Item({ book, reader, visible, hrefOf, isStop }: ItemProps) {
  const entry = <Entry book={book} reader={reader} visible={visible} />;
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

/** A sentence where nobody sees it, a line with dot leaders where somebody does. */
function Entry({ book, reader, visible }: Pick<ItemProps, "book" | "reader" | "visible">) {
  if (!visible) return `${book.title}, ${described(book, reader)}, ${whole(book.wordCount)} words`;
  return (
    <>
      <span className="serif">{book.title}</span>
      {reader && <span className="muted">{reader}</span>}
      <span className="vh">, {described(book)}, </span>
      <span className={css.dots} aria-hidden="true" />
      <span className={css.words}>
        {whole(book.wordCount)}
        <span className="vh"> words</span>
      </span>
    </>
  );
}
