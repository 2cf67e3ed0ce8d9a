import { Fragment, useState } from "react";
import type { Book, ReadingDay } from "../../kit/api/types";
import { counted, longDate, monthDay, whole } from "../../kit/format";
import { IconButton } from "../../kit/ui/Button";
import { lazyDialog } from "../../kit/ui/lazyPart";
import line from "../../kit/ui/summary.module.css";
import { logRows, percentOf } from "../books/read";
import css from "./Book.module.css";

const DayDialog = lazyDialog(() => import("./DayDialog").then((all) => all.DayDialog));

/** The log of a read, drawn when it is opened. */
export function DayLog({ read, days, today }: { read: Book; days: readonly ReadingDay[]; today: string }) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<ReadingDay | null>(null);
  return (
    <details className={css.fold} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={line.summary}>
        Day log <span className={css.count}>{counted(days.length, "day")}</span>
      </summary>
      {isOpen && <LogTable read={read} days={days} onEdit={setEdited} />}
      {edited && (
        <DayDialog
          key={edited.day}
          read={read}
          today={today}
          title={longDate(edited.day)}
          confirm="Save"
          known={edited}
          onClose={() => setEdited(null)}
        />
      )}
    </details>
  );
}

interface LogTableProps {
  read: Book;
  days: readonly ReadingDay[];
  onEdit: (day: ReadingDay) => void;
}

function LogTable({ read, days, onEdit }: LogTableProps) {
  return (
    <table className={css.days}>
      <caption className="vh">Day log of {read.title}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Place</th>
          <th scope="col">Words</th>
          <th scope="col">Minutes</th>
          <th scope="col">
            <span className="vh">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {logRows(days, read.wordCount).map(({ day, words }) => (
          <Fragment key={day.day}>
            <tr>
              <td className="nowrap">{longDate(day.day)}</td>
              <td className="nowrap">{placeIn(day)}</td>
              <td>{words === null ? "-" : whole(words)}</td>
              <td>{day.minutes ?? "-"}</td>
              <td>
                <IconButton icon="edit" compact label={`Change ${monthDay(day.day)}`} onClick={() => onEdit(day)} />
              </td>
            </tr>
            {day.note && (
              <tr className={css.note}>
                <td colSpan={5} dir="auto">
                  {day.note}
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function placeIn({ at, page, time }: ReadingDay): string {
  if (at === null) return "-";
  if (time !== null) return time;
  return page === null ? percentOf(at) : `p. ${whole(page)}`;
}
