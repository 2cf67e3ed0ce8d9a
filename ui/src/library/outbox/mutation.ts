/** What a reader can do without a network, and how each mutation is named in the page. */
import { type ApiError, serverMessage } from "../../kit/api/client";
import type { Book, OpenBook } from "../../kit/api/types";
import { monthDay } from "../../kit/format";
import type { BookChange } from "../books/model";
import { readMinutes } from "../books/numbers";
import { type DayPayload, placeName, WHOLE } from "../books/read";
import type { NewItem } from "../books/tbrItem";

/** The book of a mutation, as the reader knew it. */
interface BookOf {
  id: number;
  title: string;
}

/** The content of a mutation: what the reader did. */
export type Mutation =
  | { kind: "place"; book: BookOf; date: string; payload: DayPayload }
  | { kind: "finish"; book: BookOf; change: Partial<BookChange> }
  | { kind: "list"; item: NewItem }
  | ({ kind: "quote"; book: BookOf } & NewQuote);

/** A new quote, with its place and note where they are known. Its day is that on which it was kept. */
export interface NewQuote {
  text: string;
  /** yyyy-MM-dd. */
  day: string;
  place?: string;
  note?: string;
}

/** An entry of the outbox: a mutation, with what is needed to send it until the server has answered. */
export type QueueEntry = Mutation & {
  /** The `Idempotency-Key`, made when the reader acted. */
  key: string;
  /** When the reader acted, in milliseconds since 1970. */
  at: number;
  /** The reader's day then, yyyy-MM-dd. */
  day: string;
  /** Until when the tab in which the reader acted sends it itself, in milliseconds since 1970. */
  claimedUntil?: number;
  /** When it was sent first, in milliseconds since 1970. The answer may have been lost. */
  sentAt?: number;
  /** Why the server rejected it, in a sentence. It is not sent again. */
  rejected?: string;
};

/** The title that a mutation is about. */
export function titleOf(mutation: Mutation): string {
  return mutation.kind === "list" ? mutation.item.title : mutation.book.title;
}

/** The words before and after the title: "Finished", "rated 8". */
export function wordsAround(mutation: Mutation): { before: string; after: string } {
  switch (mutation.kind) {
    case "place":
      return { before: "", after: `, ${placeName(mutation.payload)}` };
    case "finish":
      return { before: "Finished ", after: mutation.change.rating == null ? "" : `, rated ${mutation.change.rating}` };
    case "list":
      return { before: "", after: " on your TBR" };
    case "quote":
      return { before: "A quote of ", after: "" };
  }
}

/** A mutation in one line. */
export function mutationText(mutation: Mutation): string {
  const { before, after } = wordsAround(mutation);
  return before + titleOf(mutation) + after;
}

/** What was kept of a rejected mutation: `Your note of Nov 12 (page 212) was kept here.` */
export function keptText(entry: QueueEntry): string {
  const day = monthDay(entry.kind === "place" ? entry.date : entry.day);
  switch (entry.kind) {
    case "place":
      return `Your note of ${day} (${placeName(entry.payload)}) was kept here.`;
    case "finish":
      return `Your note of ${day} (finished) was kept here.`;
    case "list":
      return `Your note of ${day} (to read) was kept here.`;
    case "quote":
      return `Your quote of ${day} was kept here.`;
  }
}

/** A rejected mutation as text, for pasting it somewhere else. */
export function copyText(entry: QueueEntry): string {
  switch (entry.kind) {
    case "place":
      return [`${entry.book.title}, ${placeName(entry.payload)}, ${entry.date}`, entry.payload.note]
        .filter(Boolean)
        .join("\n");
    case "finish":
      return `${mutationText(entry)}, ${entry.change.dateCompleted ?? entry.day}`;
    case "list":
      return [[entry.item.title, entry.item.author].filter(Boolean).join(", "), entry.item.notes]
        .filter(Boolean)
        .join("\n");
    case "quote":
      return [entry.text, [entry.book.title, entry.place].filter(Boolean).join(", "), entry.note]
        .filter(Boolean)
        .join("\n");
  }
}

/** Why a mutation was rejected, in a sentence. */
export function rejectionOf(mutation: Mutation, error: ApiError): string {
  const title = `“${titleOf(mutation)}”`;
  if (error.status === 404 && mutation.kind !== "list") return `${title} was deleted elsewhere.`;
  if (error.code === "finished") return `${title} was finished elsewhere.`;
  const [field] = Object.values(error.fields);
  return `${title}: ${field ?? serverMessage(error, "The server refused it.")}`;
}

/** The open books with what waits in the outbox: a noted place stands at its book, and a finished book is gone. */
export function withQueued(open: readonly OpenBook[], queued: readonly QueueEntry[]): readonly OpenBook[] {
  if (queued.length === 0) return open;
  const finished = new Set(queued.flatMap((entry) => (entry.kind === "finish" ? [entry.book.id] : [])));
  return open
    .filter(({ book }) => !finished.has(book.id))
    .map((one) => {
      const book = withNotedPlace(one.book, queued);
      // The pace with a place that only this browser has is unknown.
      return book === one.book ? one : { book, forecast: null };
    });
}

/** A book with the place that waits in this browser, unless the server knows a later one. */
export function withNotedPlace<Read extends Book>(book: Read, entries: readonly QueueEntry[]): Read {
  let shown = book;
  for (const entry of entries) {
    if (entry.kind !== "place" || entry.book.id !== book.id || entry.date < (shown.progress?.day ?? "")) continue;
    const { page = null, percent, time } = entry.payload;
    const noted = time === undefined ? placeIn(page, book.pages) : placeIn(readMinutes(time), book.minutes);
    const at = percent === undefined ? noted : Math.round(percent * 100);
    if (at !== null) shown = { ...book, progress: { at, page, day: entry.date } };
  }
  return shown;
}

/** The place of a page or a minute in hundredths of a percent, rounded down; null where it is not known. */
function placeIn(reached: number | null, length: number | null): number | null {
  return reached === null || length === null ? null : Math.min(WHOLE, Math.floor((reached * WHOLE) / length));
}
