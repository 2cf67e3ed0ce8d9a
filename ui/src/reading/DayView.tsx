import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CalendarDay, OpenBook } from "../kit/api/types";
import { paths } from "../kit/paths";
import { Button } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Link } from "../kit/ui/Link";
import { DayDialog } from "../library/book/DayDialog";
import { bookQuery, daysQuery } from "../library/books/api";
import { mutationText, type QueueEntry } from "../library/outbox/mutation";
import { WAITS } from "../library/outbox/useOutbox";
import { ForgottenDay } from "./ForgottenDay";
import { dayName, daySummary, entryLine, waitingLine } from "./model";
import css from "./Reading.module.css";

interface DayViewProps {
  date: string;
  /** What the calendar knows of the day; undefined without a note. */
  day: CalendarDay | undefined;
  /** The books that were finished on the day. */
  finished: readonly number[];
  titleOf: (id: number) => string;
  /** What this browser keeps of the day for the server. */
  waiting: readonly QueueEntry[];
  today: string;
  open: readonly OpenBook[];
  onClose: () => void;
}

/** A day of the calendar: what was read in which books, each to be corrected, and a book that was forgotten. */
export function DayView({ date, day, finished, titleOf, waiting, today, open, onClose }: DayViewProps) {
  const [adds, setAdds] = useState(false);
  const noted = day?.books ?? [];
  const books = [...new Set([...noted, ...finished])];
  return (
    <Dialog
      onClose={onClose}
      title={dayName(date, today)}
      text={!day && waiting.length > 0 ? waitingLine(waiting.length) : daySummary(day, date > today)}
      foot={
        <>
          {date <= today && (
            <Button icon="plus" aria-haspopup="dialog" onClick={() => setAdds(true)}>
              Note a book
            </Button>
          )}
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
        </>
      }
    >
      {books.length > 0 && (
        <ul>
          {books.map((id) => (
            <DayBook
              key={id}
              id={id}
              date={date}
              title={titleOf(id)}
              isFinished={finished.includes(id)}
              isNoted={noted.includes(id)}
              today={today}
            />
          ))}
        </ul>
      )}
      {waiting.length > 0 && (
        <ul>
          {waiting.map((entry) => (
            <li key={entry.key} className={css.dayBook}>
              <div>
                <p dir="auto">{mutationText(entry)}</p>
                <p className={css.where}>{WAITS}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {adds && <ForgottenDay open={open} today={today} day={date} noted={noted} onClose={() => setAdds(false)} />}
    </Dialog>
  );
}

interface DayBookProps {
  id: number;
  date: string;
  title: string;
  isFinished: boolean;
  /** Whether the book's log has the day. */
  isNoted: boolean;
  today: string;
}

function DayBook({ id, date, title, isFinished, isNoted, today }: DayBookProps) {
  const [edits, setEdits] = useState(false);
  const { data: stored } = useQuery({ ...bookQuery(id), enabled: isNoted });
  const { data: log } = useQuery({ ...daysQuery(id), enabled: isNoted });
  const entry = log?.find(({ day }) => day === date);
  const book = stored?.book;
  const isKnown = book !== undefined && log !== undefined;
  return (
    <li className={css.dayBook}>
      <div>
        <p className={css.title} dir="auto">
          <Link href={paths.book(id)}>{title}</Link>
        </p>
        <p className={css.where}>{(isKnown || !isNoted) && entryLine(entry, book?.pages ?? null, isFinished)}</p>
      </div>
      {isNoted && (
        <Button
          size="compact"
          aria-label={`Change what you read of ${title}`}
          aria-haspopup="dialog"
          disabled={!book || !entry}
          onClick={() => setEdits(true)}
        >
          Change
        </Button>
      )}
      {edits && book && entry && (
        <DayDialog
          read={book}
          today={today}
          known={entry}
          title={`${dayName(date, today)}: “${title}”`}
          confirm="Save"
          onClose={() => setEdits(false)}
        />
      )}
    </li>
  );
}
