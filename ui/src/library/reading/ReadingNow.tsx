import { memo, useEffect, useId, useRef, useState } from "react";
import type { Book } from "../../kit/api/types";
import { withBase } from "../../kit/base";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { Button, IconButton, TextLink } from "../../kit/ui/Button";
import { Link } from "../../kit/ui/Link";
import { lazyPart } from "../../kit/ui/lazyPart";
import { Menu } from "../../kit/ui/Menu";
import { FROM_DESKTOP, useMedia } from "../../kit/useMedia";
import { percentOf, WHOLE } from "../books/read";
import { AskedDialog } from "./AskedDialog";
import type { Noted } from "./notes";
import { placeLine } from "./place";
import css from "./ReadingNow.module.css";
import type { Asked } from "./ReadMenu";
import { OpenSpine } from "./Standing";

const NoteForm = lazyPart(() => import("./NoteForm").then((all) => all.NoteForm));
const NotedLine = lazyPart(() => import("./NotedLine").then((all) => all.NotedLine));
const ReadMenu = lazyPart(() => import("./ReadMenu").then((all) => all.ReadMenu));

/** The books of the strip; the others are on the page "Reading". */
const MOST = { phone: 3, desktop: 6 };

interface ReadingNowProps {
  /** The open books that are not paused, the one noted last first. */
  books: readonly Book[];
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  /** The blue of a genre. */
  blueOf: (genre: string | undefined) => Blue;
}

/** What the reader is reading, each book with its place and a way to note the next one. Nothing without such a book. */
export const ReadingNow = memo(function ReadingNow({ books, today, blueOf }: ReadingNowProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isWide = useMedia(FROM_DESKTOP);
  const [noted, setNoted] = useState<{ book: Book; note: Noted }>();
  const [asked, setAsked] = useState<{ book: Book; what: Asked }>();
  const leave = useLeave(books, heading);
  const shown = books.slice(0, isWide ? MOST.desktop : MOST.phone);
  const close = () => setAsked(undefined);
  const gone = () => {
    close();
    if (asked) leave(asked.book.id);
  };
  return (
    <>
      {books.length > 0 && (
        <section className={css.strip} aria-labelledby={id}>
          <h2 className="h3" id={id} ref={heading} tabIndex={-1}>
            Reading now
          </h2>
          <div role="status">
            {noted && (
              <NotedLine
                key={noted.book.id}
                {...noted}
                onDone={() => {
                  setNoted(undefined);
                  heading.current?.focus();
                }}
              />
            )}
          </div>
          <ul className={css.books}>
            {shown.map((book) => (
              <Row
                key={book.id}
                book={book}
                today={today}
                blue={blueOf(book.genres[0])}
                onAsk={(what) => setAsked({ book, what })}
                onNoted={(note) => setNoted(note ? { book, note } : undefined)}
                onPaused={() => leave(book.id)}
              />
            ))}
          </ul>
          {shown.length < books.length && (
            <TextLink icon="right" href={paths.reading()}>
              {books.length - shown.length} more
            </TextLink>
          )}
        </section>
      )}
      {asked && <AskedDialog {...asked} today={today} onClose={close} onGone={gone} />}
    </>
  );
});

/** Returns a function for a book that is about to leave the strip. The focus then goes to the heading, or to the page. */
function useLeave(books: readonly Book[], heading: React.RefObject<HTMLHeadingElement | null>) {
  const [leaving, setLeaving] = useState<number | null>(null);
  useEffect(() => {
    if (leaving === null || books.some(({ id }) => id === leaving)) return;
    setLeaving(null);
    (heading.current ?? document.getElementById("main"))?.focus();
  }, [books, leaving, heading]);
  return setLeaving;
}

interface RowProps {
  book: Book;
  today: string;
  blue: Blue;
  onAsk: (asked: Asked) => void;
  /** Called with what was noted; null when it waits for a connection. */
  onNoted: (note: Noted | null) => void;
  onPaused: () => void;
}

function Row({ book, today, blue, onAsk, onNoted, onPaused }: RowProps) {
  const [isNoting, setNoting] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { cover, progress, title } = book;
  const done = (note: Noted | null) => {
    setNoting(false);
    toggle.current?.focus();
    onNoted(note);
  };
  return (
    <li className={css.book}>
      {cover ? (
        <img className={css.cover} src={withBase(cover.url)} alt="" width={40} height={60} />
      ) : (
        <OpenSpine book={book} blue={blue} height={60} widest={42} />
      )}
      <div className={css.named}>
        <Link className={css.title} href={paths.book(book.id)} dir="auto">
          {title}
        </Link>
        <p className={css.place}>{placeLine(book, today)}</p>
        <div className={css.line} aria-hidden="true">
          <div style={{ width: percentOf(Math.min(progress?.at ?? 0, WHOLE)), background: `var(--data-${blue})` }} />
        </div>
      </div>
      <div className={css.acts}>
        <Button
          ref={toggle}
          size="compact"
          aria-label={`Note where you are in ${title}`}
          aria-expanded={isNoting}
          onClick={() => setNoting(!isNoting)}
        >
          Note
        </Button>
        <Menu trigger={<IconButton icon="dots" label={`More for ${title}`} />}>
          <ReadMenu book={book} today={today} onAsk={onAsk} onNoted={onNoted} onPaused={onPaused} />
        </Menu>
      </div>
      {isNoting && (
        <div className={css.form}>
          <NoteForm book={book} today={today} focused onNoted={done} />
        </div>
      )}
    </li>
  );
}
