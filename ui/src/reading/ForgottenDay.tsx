import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { errorMessage } from "../kit/api/client";
import type { BookTitle, OpenBook } from "../kit/api/types";
import { bookFinder, bookKeys } from "../kit/fold";
import { counted, dateBefore } from "../kit/format";
import { roughDate } from "../kit/roughDate";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { SearchField } from "../kit/ui/SearchField";
import { DayDialog } from "../library/book/DayDialog";
import { bookQuery, titlesQuery } from "../library/books/api";
import { dayName, mayHaveDay } from "./model";
import css from "./Reading.module.css";

/** The books that are listed at most while a title is typed. */
const MOST = 6;

interface ForgottenDayProps {
  open: readonly OpenBook[];
  today: string;
  /** The day; absent while it is chosen later. */
  day?: string;
  /** The books that have a note of the day already. */
  noted?: readonly number[];
  onClose: () => void;
}

/** Notes a day that was forgotten. The book is chosen first: one of the open ones, or any other that takes days. */
export function ForgottenDay({ open, today, day, noted = [], onClose }: ForgottenDayProps) {
  const { data: titles, error } = useQuery(titlesQuery);
  const [sought, setSought] = useState("");
  const [chosen, setChosen] = useState<number>();
  const {
    data: stored,
    error: failed,
    isFetching,
    refetch,
  } = useQuery({ ...bookQuery(chosen ?? 0), enabled: chosen !== undefined });
  const others = useMemo(
    () => titles?.filter((title) => title.status !== "in-progress" && mayHaveDay(title, day)) ?? [],
    [titles, day],
  );
  const finds = bookFinder(sought);
  const isSought = ({ id, title, author }: Pick<BookTitle, "id" | "title" | "author">) =>
    !noted.includes(id) && finds(bookKeys(title, author));
  const foundOpen = open.filter(({ book }) => isSought(book));
  const found = sought.trim() === "" ? [] : others.filter(isSought);
  const book = stored?.book;
  const first = day ?? (book?.status === "in-progress" ? dateBefore(today, { days: 1 }) : undefined);
  const refused = failed ?? error;
  const choose = (id: number, label: string, aside?: string) => (
    <li key={id}>
      <Button
        wide
        aria-haspopup="dialog"
        busy={chosen === id && !book && isFetching && label}
        onClick={() => (chosen === id ? refetch() : setChosen(id))}
      >
        <bdi>{label}</bdi>
        {aside && <span className="muted"> {aside}</span>}
      </Button>
    </li>
  );
  return (
    <Dialog
      onClose={onClose}
      title={day ? dayName(day, today) : "Add a day"}
      text="Which book did you read?"
      foot={
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      }
    >
      <div className={css.dialog}>
        {refused && <Alert>{errorMessage(refused, "Your books could not be loaded.")}</Alert>}
        {foundOpen.length > 0 && (
          <ul className={css.choices}>{foundOpen.map(({ book }) => choose(book.id, book.title))}</ul>
        )}
        <SearchField
          label="Find another book"
          placeholder="Another book: title or author"
          look="framed"
          value={sought}
          onSearch={setSought}
        />
        {found.length > 0 && (
          <ul className={css.choices}>
            {found.slice(0, MOST).map((title) => choose(title.id, title.title, asideOf(title)))}
          </ul>
        )}
        <p className={`hint ${css.found}`} role="status">
          {titles &&
            sought.trim() !== "" &&
            found.length + foundOpen.length === 0 &&
            "No book with this title or author can take this day."}
          {found.length > MOST && `${counted(found.length - MOST, "further book")}: type more of the title.`}
        </p>
      </div>
      {book && (
        <DayDialog
          read={book}
          today={today}
          {...(first ? { day: first } : {})}
          title={`A day of “${book.title}”`}
          confirm="Note"
          onClose={() => setChosen(undefined)}
          onNoted={onClose}
        />
      )}
    </Dialog>
  );
}

/** What distinguishes the reads of a book. */
function asideOf({ status, dateCompleted, completedFrom }: BookTitle): string {
  return status === "completed" && dateCompleted ? roughDate(dateCompleted, completedFrom ?? null) : "not finished";
}
