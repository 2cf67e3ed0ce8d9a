import type { ReadingCalendar } from "../kit/api/types";
import { longDate, whole } from "../kit/format";
import { mutationText } from "../library/outbox/mutation";
import css from "./Calendar.module.css";
import type { Known } from "./calendarDays";

/** The days of a year as a table, newest first. */
export function CalendarTable({ calendar, known }: { calendar: ReadingCalendar; known: Known }) {
  const ofYear = [...known.waiting.keys()].filter((date) => date.startsWith(`${calendar.year}-`));
  const dates = [...new Set([...known.days.keys(), ...known.finished.keys(), ...ofYear])].sort().reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
    <section className={css.scroll} tabIndex={0} aria-label={`Days of ${calendar.year} as a table`}>
      <table className={css.table}>
        <caption className="vh">Days of {calendar.year}</caption>
        <thead>
          <tr>
            {["Day", "Words", "Pages", "Minutes", "Books"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dates.map((date) => {
            const day = known.days.get(date);
            const finished = (known.finished.get(date) ?? []).map((id) => `finished ${known.titleOf(id)}`);
            const waiting = (known.waiting.get(date) ?? []).map(
              (entry) => `${mutationText(entry)} (waits in this browser)`,
            );
            return (
              <tr key={date}>
                <th scope="row">{longDate(date)}</th>
                {[day?.words, day?.pages, day?.minutes].map((value, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the three figures have fixed places
                  <td key={at}>{value == null ? "-" : whole(value)}</td>
                ))}
                <td dir="auto">{[...(day?.books.map(known.titleOf) ?? []), ...finished, ...waiting].join(", ")}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
