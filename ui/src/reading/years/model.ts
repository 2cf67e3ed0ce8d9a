import type { Review, ShelfBook } from "../../kit/api/types";
import type { Bar } from "../../kit/charts/Bars";
import { and, counted, fullDay, fullMonth, longMonth, monthName, short, shortMonthName, whole } from "../../kit/format";

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

/** `January 1 to December 31`; of a running period up to today: `November 1 to November 18`. */
export function spanOf(period: string, today: string): string {
  const { first, last } = daysOf(period);
  return `${fullDay(first)} to ${fullDay(isRunning(period, today) ? today : last)}`;
}

/** `3.9 million words`, `308,931 words`. */
export function wordsText(words: number): string {
  return words < 1_000_000 ? counted(words, "word") : `${(words / 1_000_000).toFixed(1)} million words`;
}

const SPELLED = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/** A number of books at the start of a sentence: `Two books`, `32 books`. */
const booksText = (books: number) => `${SPELLED[books] ?? whole(books)} ${books === 1 ? "book" : "books"}`;

/** What a period was, in one to three sentences. */
export function sentence(review: Review, today: string): string {
  const { period, totals, shelf } = review;
  const running = isRunning(period, today);
  const days = running
    ? daysBetween(daysOf(period).first, today)
    : daysBetween(daysOf(period).first, daysOf(period).last);
  const every = Math.floor(days / totals.books);
  const rhythm = totals.books > 2 && every > 1 ? `: a book every ${every} days` : "";
  const parts = [
    `${booksText(totals.books)}, ${wordsText(totals.words)}${running && totals.books > 2 ? " so far" : ""}${rhythm}.`,
  ];
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
export function differenceSentences({ period, otherWords, wordsOutsideMonths }: Review): string[] {
  const sentences: string[] = [];
  if (otherWords.length > 0) {
    const parts = otherWords.map(
      ({ period: other, words }) => `${whole(words)} belong to books finished in ${periodTitle(other)}`,
    );
    sentences.push(`Of these words ${and(parts)}.`);
  }
  if (wordsOutsideMonths > 0) {
    const where = isMonth(period) ? "months" : "years";
    sentences.push(`${counted(wordsOutsideMonths, "word")} of these books were read in other ${where}.`);
  }
  return sentences;
}

/** What a figure was in the period before: `22 by this day last year`, `22 in 2024`. */
export function besideNote(value: string, period: string, before: string, today: string): string {
  return isRunning(period, today) ? `${value} by this day last year` : `${value} in ${shortTitle(before)}`;
}

/** The words a day of the books that were finished in each month, from the first day to the last. Empty without such books. */
export function paceOf(shelf: readonly ShelfBook[], period: string): { bars: Bar[]; average: number } | null {
  const sums = monthsOf(period).map((month) => ({ month, words: 0, days: 0 }));
  for (const { startDate, date, wordCount } of shelf) {
    const sum = sums.find(({ month }) => date?.startsWith(month));
    if (!sum || !startDate || !date || wordCount === 0) continue;
    sum.words += wordCount;
    sum.days += daysBetween(startDate, date);
  }
  const rate = (words: number, days: number) => (days === 0 ? 0 : Math.round(words / days));
  const [words, days] = sums.reduce(([w, d], sum) => [w + sum.words, d + sum.days], [0, 0]);
  if (days === 0) return null;
  const bars = sums.map((sum) => {
    const value = rate(sum.words, sum.days);
    return { name: shortMonthName(sum.month), value, text: value === 0 ? "" : short(value) };
  });
  return { bars, average: rate(words, days) };
}

/** The lengths by which books are counted, in thousands of words: from, and up to the next one. */
const LENGTHS = [0, 40, 80, 120, 200] as const;

/** How many books have which length, and the length that most of them have. Null without a word count. */
export function lengthsOf(shelf: readonly ShelfBook[]): { bars: Bar[]; most: string } | null {
  const known = shelf.filter(({ wordCount }) => wordCount > 0);
  if (known.length === 0) return null;
  const groups = LENGTHS.map((from, at) => {
    const to = LENGTHS[at + 1];
    const books = known.filter(({ wordCount }) => wordCount >= from * 1000 && (!to || wordCount < to * 1000)).length;
    const name = from === 0 ? `<${to}K` : to ? `${from}–${to}K` : `${from}K+`;
    const words = from === 0 ? `under ${to}K` : to ? `${from}K to ${to}K` : `over ${from}K`;
    return { name, value: books, text: books === 0 ? "" : whole(books), words };
  });
  const [first, second] = [...groups].sort((one, other) => other.value - one.value);
  return { bars: groups, most: first && first.value !== second?.value ? `Most often ${first.words} words.` : "" };
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
