/** Shows rough dates: a day, or the first and the last day on which a book may have been finished, yyyy-MM-dd. */
import { fullMonth, longDate, longMonth, monthDay, shortMonthName } from "./format";

/** The first day that a book may have; it begins the intervals of "before". */
export const FIRST_DAY = "1900-01-01";
/** The last day that a book may have. */
export const LAST_DAY = "2100-12-31";

/** Whether a text is a day of the calendar that a book can have, yyyy-MM-dd: 2025-02-30 and the year 202 are none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The last day of a month, `yyyy-MM`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** Whether an interval is that of "before": from the first valid day to the end of a later year. */
export function isBefore(from: string, to: string): boolean {
  return from === FIRST_DAY && to.endsWith("-12-31") && to > "1901";
}

/** A rough date: `Mar 14, 2021`, `March 2021`, `2019`, `Mar – May 2020`, `1990 – 1999`, `before 2015`, `Mar 5 – Jul 8, 2020`. */
export function roughDate(to: string, from?: string | null): string {
  // Answers that an older version of the program sent, and the browser kept, have no first day.
  if (!from) return longDate(to);
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)];
  if (isBefore(from, to)) return `before ${Number(last) + 1}`;
  const isOneYear = first === last;
  if (!from.endsWith("-01") || to !== lastDayOf(to.slice(0, 7)))
    return `${isOneYear ? monthDay(from) : longDate(from)} – ${longDate(to)}`;
  if (from.endsWith("-01-01") && to.endsWith("-12-31")) return isOneYear ? last : `${first} – ${last}`;
  if (from.slice(0, 7) === to.slice(0, 7)) return fullMonth(from);
  return `${isOneYear ? shortMonthName(from) : longMonth(from)} – ${longMonth(to)}`;
}

/** What a field shows of a date: a day, or the two days of a rough one, `2020-03-01/2020-05-31`, in words, and anything else as it was typed. */
export function shownDate(value: string): string {
  const [, from, to] = /^(\d{4}-\d\d-\d\d)(?:\/(\d{4}-\d\d-\d\d))?$/.exec(value) ?? [];
  if (from === undefined) return value;
  return to === undefined ? longDate(from) : roughDate(to, from);
}

/** The form in files: `2021-03-14`, `2021-03`, `2019`, `2020-03/2020-05`, `1990/1999`, `../2014`. The server reads it back. */
export function exportedDate(to: string, from?: string | null): string {
  if (!from) return to;
  if (isBefore(from, to)) return `../${to.slice(0, 4)}`;
  const isWhole = from.endsWith("-01") && to === lastDayOf(to.slice(0, 7));
  const isYears = isWhole && from.endsWith("-01-01") && to.endsWith("-12-31");
  const length = isYears ? 4 : isWhole ? 7 : 10;
  const [first, last] = [from.slice(0, length), to.slice(0, length)];
  return first === last ? first : `${first}/${last}`;
}
