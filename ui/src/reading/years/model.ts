import type { Review, ShelfBook } from "../../kit/api/types";
import {
  and,
  counted,
  duration,
  fullDay,
  fullMonth,
  longMonth,
  monthDay,
  monthName,
  short,
  whole,
} from "../../kit/format";

/** The years that have a review. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const utc = (date: string) => new Date(`${date}T00:00Z`);

/** Whether an address names a year or a month from 1900 to 2100. */
export function isPeriod(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return /^\d{4}(-(0[1-9]|1[0-2]))?$/.test(text) && year >= FIRST_YEAR && year <= LAST_YEAR;
}

export const isMonth = (period: string) => period.length === 7;
export const yearOf = (period: string) => Number(period.slice(0, 4));

/** The first and the last day of a period. */
export function daysOf(period: string): { first: string; last: string } {
  if (!isMonth(period)) return { first: `${period}-01-01`, last: `${period}-12-31` };
  const last = new Date(Date.UTC(yearOf(period), Number(period.slice(5)), 0)).getUTCDate();
  return { first: `${period}-01`, last: `${period}-${last}` };
}

/** `2026`, `November 2026`. */
export function periodTitle(period: string): string {
  return isMonth(period) ? fullMonth(period) : period;
}

/** The name of a period in a narrow place: `2026`, `Nov 2026`. */
export const shortTitle = (period: string) => (isMonth(period) ? longMonth(period) : period);

/** The period some periods later, or earlier; null outside of the years that have a review. */
export function neighbour(period: string, step: number): string | null {
  const year = yearOf(period);
  if (!isMonth(period)) return inRange(String(year + step).padStart(4, "0"));
  const months = year * 12 + Number(period.slice(5)) - 1 + step;
  return inRange(`${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`);
}

const inRange = (period: string) => (isPeriod(period) ? period : null);

/** The period that a review is compared with: the year before, or the same month of the year before. */
export const periodBefore = (period: string) => neighbour(period, isMonth(period) ? -12 : -1);

/** The twelve months of a period's year. */
export const monthsOf = (period: string) =>
  Array.from({ length: 12 }, (_, i) => `${period.slice(0, 4)}-${String(i + 1).padStart(2, "0")}`);

/** Whether a period begins after a day. */
export const isComing = (period: string, today: string) => daysOf(period).first > today;
/** Whether a day is in a period. */
export const isRunning = (period: string, today: string) => today.startsWith(period);

/** `January 1 to December 31`, `November 1 to today, November 18`. */
export function spanOf(period: string, today: string): string {
  const { first, last } = daysOf(period);
  const begin = fullDay(first);
  return isRunning(period, today) ? `${begin} to today, ${fullDay(today)}` : `${begin} to ${fullDay(last)}`;
}

/** `3.9 million words`, `308,931 words`. */
export function wordsText(words: number): string {
  return words < 1_000_000 ? counted(words, "word") : `${(words / 1_000_000).toFixed(1)} million words`;
}

const SPELLED = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/** A number of books at the start of a sentence: `Two books`, `32 books`. */
export const booksText = (books: number) => `${SPELLED[books] ?? whole(books)} ${books === 1 ? "book" : "books"}`;

/** What a period was, in one to three sentences. */
export function sentence(review: Review, today: string): string {
  const { period, totals, before, shelf } = review;
  const running = isRunning(period, today);
  const days = running
    ? daysBetween(daysOf(period).first, today)
    : daysBetween(daysOf(period).first, daysOf(period).last);
  const every = Math.floor(days / totals.books);
  const rhythm = totals.books > 2 && every > 1 ? `: a book every ${every} days` : "";
  const parts = [
    `${booksText(totals.books)}, ${wordsText(totals.words)}${running && totals.books > 2 ? " so far" : ""}${rhythm}.`,
  ];
  if (running && before.books > 0 && totals.books > 2) {
    parts.push(`On this day last year it was ${whole(before.books)}.`);
  }
  const rough = shelf.filter((book) => book.completedFrom !== null).length;
  if (rough > 0) {
    parts.push(rough === 1 ? "One has no exact day." : `${SPELLED[rough] ?? whole(rough)} of them have no exact day.`);
  }
  return parts.join(" ");
}

/** The number of days from one to another, both included. */
function daysBetween(first: string, last: string): number {
  return Math.round((utc(last).getTime() - utc(first).getTime()) / 86_400_000) + 1;
}

/** How the words of the months differ from those of the books; empty where they are the same. */
export function differenceSentences({ period, totals, months, otherWords, wordsOutsideMonths }: Review): string[] {
  const sentences: string[] = [];
  const inMonths = months.reduce((sum, { words }) => sum + words, 0);
  if (otherWords.length > 0) {
    const parts = otherWords.map(
      ({ period: other, words }) => `${whole(words)} belong to books finished in ${periodTitle(other)}`,
    );
    sentences.push(
      `Words per Month has ${counted(inMonths, "word")} for ${periodTitle(period)}. Of these words ${and(parts)}.`,
    );
  }
  if (wordsOutsideMonths > 0) {
    const where = isMonth(period) ? "in other months" : "in another year, or in a month that nobody knows";
    sentences.push(
      `Of the ${counted(totals.words, "word")} of finished books, ${whole(wordsOutsideMonths)} were read ${where}.`,
    );
  }
  return sentences;
}

/** One line of the comparison: the figure, its value, the one before and the difference. */
export interface Compared {
  name: string;
  now: string;
  before: string;
  difference: string;
}

/** The figures beside those of the period before. The average is compared only where both periods are over. */
export function comparison(review: Review, averageBefore: number | null): Compared[] {
  const { totals, before, averageRating } = review;
  const perBook = ({ words, books }: Review["totals"]) => (books === 0 ? 0 : Math.round(words / books));
  const row = (name: string, now: number, then: number, write: (value: number) => string = whole): Compared => {
    const apart = write(Math.abs(now - then));
    return {
      name,
      now: write(now),
      before: write(then),
      difference: now === then ? "the same" : `${apart} ${now > then ? "more" : "fewer"}`,
    };
  };
  const rows = [
    row("Books", totals.books, before.books),
    row("Words", totals.words, before.words, short),
    ...(totals.minutes + before.minutes > 0 ? [row("Audio", totals.minutes, before.minutes, duration)] : []),
    row("Rereads", totals.rereads, before.rereads),
    row("Not finished", totals.notFinished, before.notFinished),
    row("Days read", totals.daysRead, before.daysRead),
    row("Words a book", perBook(totals), perBook(before), short),
  ].filter(({ now, before: then }) => now !== "0" || then !== "0");
  if (averageRating !== null && averageBefore !== null) {
    const apart = Math.abs(averageRating - averageBefore).toFixed(1);
    const way = averageRating > averageBefore ? "higher" : "lower";
    rows.push({
      name: "Average rating",
      now: averageRating.toFixed(1),
      before: averageBefore.toFixed(1),
      difference: apart === "0.0" ? "the same" : `${apart} ${way}`,
    });
  }
  return rows;
}

/** `the same days of 2024`, `November 2024`. */
export function beside(period: string, before: string, today: string): string {
  return isRunning(period, today) ? `the same days of ${periodTitle(before)}` : periodTitle(before);
}

/** The head of the column of the period before: `2024 to Nov 18`. */
export function besideShort(period: string, before: string, today: string): string {
  return isRunning(period, today) ? `${shortTitle(before)} to ${monthDay(today)}` : shortTitle(before);
}

/** How many reads each whole rating from 0 to 10 has; half points count with the point below. */
export function byWholePoint(ratings: Review["ratings"]): number[] {
  const counts = Array.from({ length: 11 }, () => 0);
  for (const { rating, books } of ratings) counts[Math.floor(rating)] = (counts[Math.floor(rating)] ?? 0) + books;
  return counts;
}

/** The month with most words: `Most in October.` Empty where no month leads. */
export function bestMonth(months: Review["months"]): string {
  const ordered = [...months].sort((one, other) => other.words - one.words);
  const [first, second] = ordered;
  if (!first || first.words === 0 || first.words === second?.words) return "";
  return `Most in ${monthName(first.month)}.`;
}

/** Books of the period that lack something which can be given to them, each with what it lacks. */
export interface Lacking {
  name: string;
  act: string;
  books: readonly ShelfBook[];
  count: number;
}

/** What is missing of the period's books. A shelf has the newest 500 books, the counts are of all. */
export function lackingOf({ shelf, missing }: Review): Lacking[] {
  const rough = shelf.filter(({ completedFrom }) => completedFrom !== null);
  const all: Lacking[] = [
    { name: "only a rough date", act: "Give them a day", books: rough, count: rough.length },
    {
      name: "no word count",
      act: "Give them words",
      books: shelf.filter(({ wordCount }) => wordCount === 0),
      count: missing.words,
    },
    {
      name: "no rating",
      act: "Rate them",
      books: shelf.filter(({ rating }) => rating === null),
      count: missing.rating,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

/** `14 books have no date`. */
export const withoutDate = (books: number) => `${counted(books, "book")} ${books === 1 ? "has" : "have"} no date`;
