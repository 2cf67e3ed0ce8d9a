/** What is said of the place that a reader has reached in an open book, and the steps onward from it. */
import type { Book, ReadingForecast } from "../../kit/api/types";
import { capitalized, clock, counted, duration, whole } from "../../kit/format";
import { dayIn, minutesAt, type PlacePayload, pageOf, placeOf, WHOLE, wholeOf } from "../books/read";

/** The time of a place; null where the length of the book is unknown. */
export function timeOf({ progress, minutes }: Pick<Book, "progress" | "minutes">): string | null {
  return minutes === null ? null : clock(Math.round(((progress?.at ?? 0) * minutes) / WHOLE));
}

/** The line below a book's author: `Page 212 of 415, noted Nov 17`. */
export function whereLine(book: Book, today: string): string {
  const { progress, startDate, pausedSince } = book;
  const since = pausedSince && `paused since ${dayIn(pausedSince, today)}`;
  if (!progress) {
    if (since) return capitalized(since);
    return startDate ? `Reading since ${dayIn(startDate, today)}` : "No place noted";
  }
  return `${placeLine(book, today)}, ${since ?? `noted ${dayIn(progress.day, today)}`}`;
}

/** What is left of a book, and when it will be finished at the pace so far: `203 pages left: done around Nov 27 at this pace.` */
export function paceLine(book: Book, forecast: ReadingForecast, today: string): string {
  const { progress, pages, minutes } = book;
  const done = forecast.days === 0 ? "done today" : `done around ${dayIn(forecast.date, today)}`;
  const listened = minutesAt({ at: progress?.at ?? 0, page: null }, book);
  const page = pageOf(book);
  if (listened !== null && minutes !== null) return `${duration(minutes - listened)} left: ${done} at this pace.`;
  if (page !== null && pages !== null) return `${counted(pages - page, "page")} left: ${done} at this pace.`;
  return `${capitalized(done)} at this pace.`;
}

/** The place of an open book in the unit that is known: `Page 212 of 415`, `12:00 of 12:30`, `51%`; before the first place, since when. */
export function placeLine(book: Book, today: string): string {
  const { progress, startDate, pages } = book;
  if (!progress) return startDate ? `Since ${dayIn(startDate, today)}` : "No place noted";
  const page = minutesAt(progress, book) === null ? pageOf(book) : null;
  if (page !== null && pages !== null) return `Page ${whole(page)} of ${whole(pages)}`;
  const of = wholeOf(progress, book);
  return of === "" ? `${Math.floor(progress.at / 100)}%` : placeOf(progress, book) + of;
}

/** A step from the present place, which notes a new one at once. */
export interface Step {
  label: string;
  name: string;
  payload: PlacePayload;
}

/** The steps that stay within the book: by time in an audiobook, by pages where it has them, otherwise by percent. */
export function stepsOf(book: Book): Step[] {
  const listened = minutesAt({ at: book.progress?.at ?? 0, page: null }, book);
  if (listened !== null) {
    return [10, 20, 30, 60]
      .filter((step) => listened + step <= (book.minutes ?? 0))
      .map((step) => ({
        label: `+${step}`,
        name: `${step} minutes on: ${clock(listened + step)}`,
        payload: { time: clock(listened + step) },
      }));
  }
  const page = pageOf(book);
  if (page !== null && book.pages !== null) {
    const pages = book.pages;
    return [5, 10, 20, 30]
      .filter((step) => page + step <= pages)
      .map((step) => ({
        label: `+${step}`,
        name: `${step} pages on: page ${whole(page + step)}`,
        payload: { page: page + step },
      }));
  }
  const at = Math.floor((book.progress?.at ?? 0) / 100);
  return [5, 10, 15, 20]
    .filter((step) => at + step <= 100)
    .map((step) => ({
      label: `+${step}`,
      name: `${step} percent on: ${at + step} percent`,
      payload: { percent: at + step },
    }));
}
