import { useQueries } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Book, OpenBook } from "../kit/api/types";
import { paths } from "../kit/paths";
import type { Blue } from "../kit/spine/blue";
import { Button, IconButton } from "../kit/ui/Button";
import { Link } from "../kit/ui/Link";
import { Menu } from "../kit/ui/Menu";
import { useLaterFocus } from "../kit/ui/useLaterFocus";
import { PlaceRuler } from "../library/book/PlaceRuler";
import { daysQuery } from "../library/books/api";
import { AskedDialog } from "../library/reading/AskedDialog";
import { NotedLine } from "../library/reading/NotedLine";
import { NoteForm } from "../library/reading/NoteForm";
import type { Noted } from "../library/reading/notes";
import { paceLine, whereLine } from "../library/reading/place";
import { type Asked, ReadMenu } from "../library/reading/ReadMenu";
import { Standing } from "../library/reading/Standing";
import { useStateChange } from "../library/reading/useStateChange";
import css from "./Reading.module.css";

interface OpenBooksProps {
  /** The book noted last comes first, paused books come last. */
  open: readonly OpenBook[];
  today: string;
  blueOf: (genre: string | undefined) => Blue;
}

/** The open books: the first one with everything that can be done now, the others in one line, then those that are paused. */
export function OpenBooks({ open, today, blueOf }: OpenBooksProps) {
  const [shownId, setShownId] = useState<number>();
  const [noted, setNoted] = useState<{ book: Book; note: Noted }>();
  const [heading, toHeading] = useLaterFocus<HTMLHeadingElement>();
  const list = useRef<HTMLUListElement>(null);
  const active = open.filter(({ book }) => book.pausedSince === null);
  const paused = open.filter(({ book }) => book.pausedSince !== null);
  // With its log a book can be finished without a network.
  const logs = useQueries({
    queries: active.map(({ book }) => ({ ...daysQuery(book.id), enabled: book.progress !== null })),
  });
  const shown = active.find(({ book }) => book.id === shownId) ?? active[0];
  // The form takes the place of the button that was pressed.
  const show = (id: number) => {
    flushSync(() => setShownId(id));
    list.current?.querySelector<HTMLElement>("form input")?.focus();
  };
  // The button that took the note back goes with its line.
  const forget = () => {
    setNoted(undefined);
    toHeading();
  };
  return (
    <div>
      <div role="status">
        {noted && <NotedLine key={noted.book.id} book={noted.book} note={noted.note} onDone={forget} />}
      </div>
      <section aria-labelledby="open-now">
        <h2 className="vh" id="open-now" ref={heading} tabIndex={-1}>
          Reading now
        </h2>
        <ul className={css.open} ref={list}>
          {active.map(({ book, forecast }, at) => {
            const isShown = book.id === shown?.book.id;
            return (
              <li key={book.id} className={css.book} data-first={isShown || undefined}>
                <Standing book={book} blue={blueOf(book.genres[0])} height={isShown ? 108 : 64} />
                <BookHead book={book} today={today} />
                {isShown ? (
                  <div className={css.body}>
                    <PlaceRuler read={book} blue={blueOf(book.genres[0])} days={logs[at]?.data} />
                    {forecast && <p className={css.forecast}>{paceLine(book, forecast, today)}</p>}
                    <NoteForm
                      key={book.id}
                      book={book}
                      today={today}
                      onNoted={(note) => setNoted(note ? { book, note } : undefined)}
                    />
                    <Acts
                      book={book}
                      today={today}
                      onNoted={(note) => setNoted(note ? { book, note } : undefined)}
                      onGone={toHeading}
                    />
                  </div>
                ) : (
                  <Button aria-label={`Note where you are in ${book.title}`} onClick={() => show(book.id)}>
                    Note
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </section>
      {paused.length > 0 && (
        <section className={css.paused} aria-labelledby="paused">
          <h2 className="h3" id="paused">
            Paused
          </h2>
          <ul className={css.open}>
            {paused.map(({ book }) => (
              <li key={book.id} className={css.book}>
                <Standing book={book} blue={blueOf(book.genres[0])} height={64} />
                <BookHead book={book} today={today} />
                <Resume book={book} today={today} onDone={toHeading} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function BookHead({ book, today }: { book: Book; today: string }) {
  return (
    <div className={css.bookHead}>
      <h3 className={css.title} dir="auto">
        <Link href={paths.book(book.id)}>{book.title}</Link>
      </h3>
      <p className={css.author} dir="auto">
        {book.author}
      </p>
      <p className={css.where}>{whereLine(book, today)}</p>
    </div>
  );
}

function Resume({ book, today, onDone }: { book: Book; today: string; onDone: () => void }) {
  const { change, isPending } = useStateChange(book, today, onDone);
  return (
    <Button aria-label={`Resume: ${book.title}`} busy={isPending && "Saving..."} onClick={() => change("read-on")}>
      Resume
    </Button>
  );
}

interface ActsProps {
  book: Book;
  today: string;
  onNoted: (note: Noted | null) => void;
  onGone: () => void;
}

/** Finish, Pause, and a menu with what is rarer. */
function Acts({ book, today, onNoted, onGone }: ActsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { change, isPending } = useStateChange(book, today, onGone);
  const close = () => setAsked(null);
  const gone = () => {
    close();
    onGone();
  };
  return (
    <div className={css.acts}>
      <Button icon="check" size="compact" aria-haspopup="dialog" onClick={() => setAsked("finish")}>
        Finish
      </Button>
      <Button variant="quiet" size="compact" disabled={isPending} onClick={() => change("pause")}>
        Pause
      </Button>
      <Menu trigger={<IconButton icon="dots" label={`More for ${book.title}`} className={css.more} />}>
        <ReadMenu book={book} today={today} short onAsk={setAsked} onNoted={onNoted} onPaused={onGone} />
      </Menu>
      {asked && <AskedDialog book={book} what={asked} today={today} onClose={close} onGone={gone} />}
    </div>
  );
}
