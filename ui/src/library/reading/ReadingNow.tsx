import { memo, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Book } from "../../kit/api/types";
import { longDate, monthDay } from "../../kit/format";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Button } from "../../kit/ui/Button";
import { Link } from "../../kit/ui/Link";
import { lazyPart } from "../../kit/ui/lazyPart";
import { StatusBadge } from "../books/StatusBadge";
import css from "./ReadingNow.module.css";

const FinishDialog = lazyPart(() => import("./FinishDialog").then((all) => all.FinishDialog));

/** The books shown before "Show all". */
const FIRST = 4;

interface ReadingNowProps {
  /** The books in progress, the one started last first. */
  books: readonly Book[];
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  /** The blue of a genre. */
  blueOf: (genre: string | undefined) => Blue;
}

/** What the reader is reading: each book with its start and a button that finishes it. Nothing without such a book. */
export const ReadingNow = memo(function ReadingNow({ books, today, blueOf }: ReadingNowProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [showsAll, setShowsAll] = useState(false);
  const { finishing, finish } = useFinish(books, heading);
  const shown = showsAll ? books : books.slice(0, FIRST);
  // The first further book takes the focus from the button, which goes.
  const showAll = () => {
    flushSync(() => setShowsAll(true));
    list.current?.children[FIRST]?.querySelector("a")?.focus();
  };
  return (
    <>
      {books.length > 0 && (
        <section className={css.strip} aria-labelledby={id}>
          <h2 className="h3" id={id} ref={heading} tabIndex={-1}>
            Reading now
          </h2>
          <ul className={css.books} ref={list}>
            {shown.map((book) => (
              <Row key={book.id} book={book} today={today} blue={blueOf(book.genres[0])} onFinish={finish} />
            ))}
          </ul>
          {shown.length < books.length && (
            <Button size="compact" className={css.more} onClick={showAll}>
              {`Show all ${books.length}`}
            </Button>
          )}
        </section>
      )}
      {finishing && <FinishDialog key={finishing.id} {...finishing} />}
    </>
  );
});

/** The dialog that finishes a book. When the book leaves the strip, the focus goes to the strip's heading, or to the page. */
function useFinish(books: readonly Book[], heading: React.RefObject<HTMLHeadingElement | null>) {
  const [book, setBook] = useState<Book | null>(null);
  const [gone, setGone] = useState<number | null>(null);
  useEffect(() => {
    if (gone === null || books.some(({ id }) => id === gone)) return;
    setGone(null);
    (heading.current ?? document.getElementById("main"))?.focus();
  }, [books, gone, heading]);
  const finishing = book && {
    id: book.id,
    book,
    onClose: () => setBook(null),
    onFinished: () => {
      setBook(null);
      setGone(book.id);
    },
  };
  return { finishing, finish: setBook };
}

interface RowProps {
  book: Book;
  today: string;
  blue: Blue;
  onFinish: (book: Book) => void;
}

function Row({ book, today, blue, onFinish }: RowProps) {
  return (
    <li className={css.book}>
      <MiniSpine wordCount={book.wordCount} rating={null} blue={blue} outlined height={38} />
      <div className={css.named}>
        <Link className={css.title} href={paths.book(book.id)} dir="auto">
          {book.title}
        </Link>
        <p className={css.facts}>
          <span dir="auto">{book.author}</span>
          <State book={book} today={today} />
        </p>
      </div>
      <Button
        size="compact"
        icon="check"
        aria-label={`Finished: ${book.title}`}
        aria-haspopup="dialog"
        onClick={() => onFinish(book)}
      >
        Finished
      </Button>
    </li>
  );
}

/** Since when a book is being read, or is paused. */
function State({ book, today }: Pick<RowProps, "book" | "today">) {
  const { startDate, pausedSince } = book;
  if (pausedSince) {
    return (
      <span className={`nowrap ${css.paused}`}>
        <StatusBadge book={book} /> since {since(pausedSince, today)}
      </span>
    );
  }
  return startDate && <span className="nowrap">since {since(startDate, today)}</span>;
}

/** A day of this year as "Nov 3", any other day with its year. */
function since(day: string, today: string): string {
  return day.slice(0, 4) === today.slice(0, 4) ? monthDay(day) : longDate(day);
}
