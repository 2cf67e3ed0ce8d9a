/** What the reading page says: goals and the days of the calendar. */

import type { BookTitle, CalendarDay, Goal, GoalMetric, ReadingDay } from "../kit/api/types";
import {
  capitalized,
  counted,
  duration,
  fullMonth,
  monthName,
  short,
  shortCounted,
  weekdayName,
  whole,
} from "../kit/format";
import { METRIC_WORDS, valuesOf } from "../kit/words";
import { percentOf } from "../library/books/read";
import { mutationText, type QueueEntry } from "../library/outbox/mutation";

const DAY = 86_400_000;

/** The acts in the outbox that belong to a day of the calendar, by day: places, and the ends of reads. */
export function queuedByDay(queued: readonly QueueEntry[]): ReadonlyMap<string, readonly QueueEntry[]> {
  const days = new Map<string, readonly QueueEntry[]>();
  for (const entry of queued) {
    const day = entry.kind === "place" ? entry.date : entry.kind === "finish" ? entry.change.dateCompleted : undefined;
    if (day) days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return days;
}

/** `Books in 2026`, `Words in November`; of a month of another year `Words in November 2025`. */
export function goalName({ period, metric }: Pick<Goal, "period" | "metric">, today: string): string {
  return `${METRIC_WORDS[metric]} in ${goalPeriodName(period, today)}`;
}

/** `2026`, `November`; a month of another year with its year: `November 2025`. */
export function goalPeriodName(period: string, today: string): string {
  if (period.length === 4) return period;
  return period.slice(0, 4) === today.slice(0, 4) ? monthName(period) : fullMonth(period);
}

/** A value or a target in the units of a goal: books whole, words and pages short, minutes as hours. */
export function goalNumber(value: number, metric: GoalMetric): string {
  if (metric === "minutes") return duration(value);
  return metric === "books" ? whole(value) : short(value);
}

/** `3 books`, `332.6K words`, `1 page`, `12 h 30 min`. */
function amountOf(number: number, metric: GoalMetric): string {
  if (metric === "minutes") return duration(number);
  if (metric === "books") return counted(number, "book");
  return shortCounted(number, metric === "words" ? "word" : "page");
}

/** The days of a period after today. */
export function daysLeft(period: string, today: string): number {
  const [year = 0, month] = period.split("-").map(Number);
  const end = month ? Date.UTC(year, month, 0) : Date.UTC(year, 11, 31);
  return Math.max(0, Math.round((end - Date.parse(today)) / DAY));
}

/** How a goal stands, in one or two sentences. Without `pace` nothing is said about ahead and behind. */
export function goalSentence(goal: Goal, today: string, pace: boolean): string {
  const { metric, value, target, remaining, ahead, period } = goal;
  if (remaining === 0)
    return `${goalNumber(value, metric)} of ${goalNumber(target, metric)}. Everything from here is for pleasure.`;
  const distance =
    ahead === 0
      ? "On schedule."
      : ahead < 0
        ? `${amountOf(-ahead, metric)} behind schedule.`
        : `${amountOf(ahead, metric)} ahead of schedule.`;
  const days = daysLeft(period, today);
  const rest = metric === "books" ? whole(remaining) : amountOf(remaining, metric);
  const left = days === 0 ? `${rest} left today` : `${rest} left in ${counted(days, "day")}`;
  const every = pace && metric === "books" && days > 0 ? `, ${rhythm(remaining, days)}` : "";
  return `${pace ? `${distance} ` : ""}${left}${every}.`;
}

/** `one every 5 days`, `2 a day`. */
function rhythm(books: number, days: number): string {
  const every = Math.floor(days / books);
  if (every > 1) return `one every ${every} days`;
  if (books < days) return "almost one a day";
  const daily = Math.ceil(books / days);
  return daily === 1 ? "one a day" : `${daily} a day`;
}

/** What a January asks for its year, from the goals of the year before; null when that had none. */
export function newYearQuestion(before: readonly Goal[], year: string): string | null {
  const goal = valuesOf(METRIC_WORDS)
    .map((metric) => before.find((one) => one.metric === metric))
    .find(Boolean);
  if (!goal) return null;
  const { value, target, metric } = goal;
  return `A new year. In ${goal.period} you read ${amountOf(value, metric)} of ${goalNumber(target, metric)}. A goal for ${year}?`;
}

/** What was read of open books, which does not count for a goal yet; null when there is nothing. */
export function inHandSentence({ metric, inHand, remaining }: Goal): string | null {
  if (!inHand || remaining === 0) return null;
  return `Plus ${amountOf(inHand, metric)} in books you're still reading.`;
}

/** The height of a day in the calendar, by its words: 1 to 4, and 0 where the amount is unknown. */
export function levelOf({ words }: Pick<CalendarDay, "words">): 0 | 1 | 2 | 3 | 4 {
  if (words === null) return 0;
  if (words < 4_500) return 1;
  if (words < 9_000) return 2;
  return words < 16_000 ? 3 : 4;
}

/** A day in words: `Tuesday, November 18`; of another year than today's `Sunday, November 17, 2024`. */
export function dayName(date: string, today = date): string {
  const name = weekdayName(date);
  return date.slice(0, 4) === today.slice(0, 4) ? name : `${name}, ${date.slice(0, 4)}`;
}

/** What a day of the calendar says: `12,000 words, 45 minutes, Dune. Finished Emma`. */
export function dayText(
  day: CalendarDay | undefined,
  finished: readonly string[],
  titleOf: (id: number) => string,
  queued: readonly QueueEntry[] = [],
): string {
  const ends = [
    ...(finished.length > 0 ? [`Finished ${finished.join(", ")}`] : []),
    ...(queued.length > 0 ? [`Waits in this browser: ${queued.map(mutationText).join("; ")}`] : []),
  ].join(". ");
  if (!day) return ends || "nothing noted";
  const amount = day.words === null ? "read, amount not known" : counted(day.words, "word");
  const minutes = day.minutes === null ? [] : [counted(day.minutes, "minute")];
  const read = [amount, ...minutes, ...day.books.map(titleOf)].join(", ");
  return ends ? `${read}. ${ends}` : read;
}

/** What was read on a day, over all books: `24,500 words, 61 pages, 45 minutes.` */
export function daySummary(day: CalendarDay | undefined, isToCome: boolean): string {
  if (!day) return isToCome ? "This day is still to come." : "Nothing noted.";
  const { words, pages, minutes } = day;
  const amounts = [words !== null && counted(words, "word"), pages !== null && counted(pages, "page")].filter(Boolean);
  const read = amounts.length > 0 ? amounts : ["Read, amount not known"];
  return `${[...read, ...(minutes === null ? [] : [counted(minutes, "minute")])].join(", ")}.`;
}

/** How much of a day waits in this browser: `2 notes wait in this browser.` */
export function waitingLine(notes: number): string {
  return `${counted(notes, "note")} ${notes === 1 ? "waits" : "wait"} in this browser.`;
}

/** What a book's log says of a day: `Finished. Page 190 of 415, 30 minutes`. */
export function entryLine(entry: ReadingDay | undefined, pages: number | null, isFinished: boolean): string {
  const end = isFinished ? ["Finished"] : [];
  if (!entry) return end.join();
  const { at, page, time, minutes } = entry;
  const of = pages === null ? "" : ` of ${whole(pages)}`;
  const place = page === null ? (time ?? (at !== null && percentOf(at))) : `page ${whole(page)}${of}`;
  const parts = [place || "read, no place noted", ...(minutes === null ? [] : [counted(minutes, "minute")])];
  return [...end, capitalized(parts.join(", "))].join(". ");
}

/** Whether a read may have a day in its log: an undated one has none, and no one reads on after the end. */
export function mayHaveDay(
  { status, dateCompleted }: Pick<BookTitle, "status" | "dateCompleted">,
  day?: string,
): boolean {
  if (status === "undated") return false;
  return status !== "completed" || day === undefined || dateCompleted === null || day <= dateCompleted;
}

/** `23 days, 224.6K` below a month's name; empty where nothing was noted. */
export function monthLine(days: readonly CalendarDay[]): string {
  if (days.length === 0) return "";
  const words = days.reduce((sum, day) => sum + (day.words ?? 0), 0);
  return words > 0 ? `${counted(days.length, "day")}, ${short(words)}` : counted(days.length, "day");
}
