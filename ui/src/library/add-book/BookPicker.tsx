import type { UseQueryResult } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import type { BookTitle } from "../../kit/api/types";
import { bookFinder, bookKeys } from "../../kit/fold";
import { counted, whole } from "../../kit/format";
import { roughDate } from "../../kit/roughDate";
import { NotFetched } from "../../kit/ui/Fetched";
import { Icon } from "../../kit/ui/Icon";
import { Popover } from "../../kit/ui/Popover";
import { SearchField } from "../../kit/ui/SearchField";
import { Spinner } from "../../kit/ui/Waiting";
import { StatusBadge } from "../books/StatusBadge";
import css from "./BookPicker.module.css";

interface BookPickerProps {
  /** What the book is chosen for. */
  label: ReactNode;
  titles: UseQueryResult<readonly BookTitle[]>;
  /** The id of the chosen book. */
  chosen: number | undefined;
  /** What is said while none is chosen. */
  none?: string;
  /** Whether the list is open. A picker that replaces this one, because the book has arrived, is open as well. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onChoose: (book: BookTitle) => void;
  /** Whether the button takes the focus, because the book was chosen in a picker that this one replaces. */
  hasFocus?: boolean;
}

/** All books of the library as a searchable list. */
export function BookPicker(props: BookPickerProps) {
  const { label, titles, chosen, none = "Choose a book", isOpen, onOpenChange, onChoose, hasFocus = false } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasFocus) button.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  const book = titles.data?.find((one) => one.id === chosen);
  const several = useSeveral(titles.data);
  const choose = (picked: BookTitle) => {
    onOpenChange(false);
    onChoose(picked);
  };
  return (
    <div className={css.field}>
      <span className="label" id={`${id}-label`}>
        {label}
      </span>
      <Popover
        label="Books"
        open={isOpen}
        onOpenChange={onOpenChange}
        className={css.popover}
        trigger={
          <button type="button" ref={button} id={id} className={css.button} aria-labelledby={`${id}-label ${id}`}>
            <span className={css.current}>
              {book ? <Named book={book} isOneOfSeveral={several.has(book.work)} /> : none}
            </span>
            <Icon name="chevron" small />
          </button>
        }
      >
        {titles.data && <Titles titles={titles.data} chosen={chosen} onChoose={choose} />}
        {titles.isPending && <Spinner>Fetching your books</Spinner>}
        {titles.isError && !titles.data && (
          <NotFetched onRetry={titles.refetch}>The books could not be loaded.</NotFetched>
        )}
      </Popover>
    </div>
  );
}

/** The works with several reads. */
function useSeveral(titles: readonly BookTitle[] | undefined): ReadonlySet<number> {
  return useMemo(() => {
    const [seen, several] = [new Set<number>(), new Set<number>()];
    for (const { work } of titles ?? []) (seen.has(work) ? several : seen).add(work);
    return several;
  }, [titles]);
}

/** Title - author, and of a book with several reads the day on which this one was finished. */
function Named({ book, isOneOfSeveral }: { book: BookTitle; isOneOfSeveral: boolean }) {
  const { dateCompleted, completedFrom } = book;
  return (
    <>
      <bdi className="serif" dir="auto">
        {book.title}
      </bdi>{" "}
      - <bdi dir="auto">{book.author}</bdi>
      {isOneOfSeveral && dateCompleted && <span className="muted"> {roughDate(dateCompleted, completedFrom)}</span>}
    </>
  );
}

/** Height in px of an entry on one line. */
const ENTRY = 44;

interface TitlesProps {
  titles: readonly BookTitle[];
  chosen: number | undefined;
  onChoose: (book: BookTitle) => void;
}

/** A search field and the matching titles. The focus stays in the field; the arrow keys move the highlighted entry. */
function Titles({ titles, chosen, onChoose }: TitlesProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [sought, setSought] = useState("");
  const several = useSeveral(titles);
  const known = useMemo(() => titles.map((book) => ({ book, keys: bookKeys(book.title, book.author) })), [titles]);
  const found = useMemo(() => {
    const finds = bookFinder(sought);
    return known.filter(({ keys }) => finds(keys)).map(({ book }) => book);
  }, [known, sought]);
  const [marked, setMarked] = useState(() =>
    Math.max(
      0,
      titles.findIndex((book) => book.id === chosen),
    ),
  );

  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ENTRY,
    getItemKey: (at) => found[at]?.id ?? at,
    initialOffset: Math.max(0, marked - 2) * ENTRY,
    overscan: 6,
  });

  const mark = (at: number) => {
    setMarked(at);
    virtualizer.scrollToIndex(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1;
    if (last < 0) return;
    const book = found[marked];
    if (event.key === "ArrowDown") mark(Math.min(last, marked + 1));
    else if (event.key === "ArrowUp") mark(Math.max(0, marked - 1));
    else if (event.key === "PageDown") mark(Math.min(last, marked + 7));
    else if (event.key === "PageUp") mark(Math.max(0, marked - 7));
    else if (event.key === "Enter" && book) onChoose(book);
    else return;
    event.preventDefault();
  };

  const rows = virtualizer.getVirtualItems();
  return (
    <>
      <SearchField
        look="line"
        label="Find a book"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found[marked] && `${id}-${found[marked].id}`}
        placeholder="Title or author"
        autoComplete="off"
        value={sought}
        onSearch={(text) => {
          setSought(text);
          mark(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={css.frame} ref={frame}>
        <div
          role="listbox"
          id={`${id}-list`}
          aria-label="Books"
          style={{ height: virtualizer.getTotalSize() }}
          tabIndex={-1}
        >
          {rows.map(({ index, key, start }) => {
            const book = found[index];
            if (!book) return null;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field holds the focus, and Enter chooses there
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                role="option"
                id={`${id}-${book.id}`}
                className={css.entry}
                aria-selected={book.id === chosen}
                aria-setsize={found.length}
                aria-posinset={index + 1}
                data-marked={index === marked || undefined}
                style={{ transform: `translateY(${start}px)` }}
                tabIndex={-1}
                onClick={() => onChoose(book)}
              >
                <span>
                  <Named book={book} isOneOfSeveral={several.has(book.work)} />
                </span>
                <StatusBadge book={book} />
              </div>
            );
          })}
        </div>
      </div>
      <p className={`hint ${css.foot}`} role="status">
        {found.length === titles.length
          ? `${titles.length === 1 ? "1 book" : `All ${whole(titles.length)} books`}: also those in progress, without a date, or outside your history.`
          : `${whole(found.length)} of ${counted(titles.length, "book")}`}
      </p>
    </>
  );
}
