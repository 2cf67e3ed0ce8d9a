/** What a reader can do without a network, and how each act is named in the page. */
import { type ApiError, serverMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { monthDay } from "../../kit/format";
import { type DayPayload, placeName, WHOLE } from "../book/model";
import type { BookChange } from "../books/model";
import { readMinutes } from "../books/numbers";
import type { NewItem } from "../tbr/model";

/** The book of an act, as the reader knew it. */
interface ActBook {
  id: number;
  title: string;
}

/** The content of an act: what the reader did. */
export type Deed =
  | { kind: "place"; book: ActBook; date: string; payload: DayPayload }
  | { kind: "finish"; book: ActBook; change: Partial<BookChange> }
  | { kind: "list"; item: NewItem }
  | { kind: "quote"; book: ActBook; text: string };

/** An entry of the outbox: a deed, with what is needed to send it until the server has answered. */
export type Act = Deed & {
  /** The `Idempotency-Key`, made when the reader acted. */
  key: string;
  /** When the reader acted, in milliseconds since 1970. */
  at: number;
  /** The reader's day then, yyyy-MM-dd. */
  day: string;
  /** Until when the tab in which the reader acted sends it itself, in milliseconds since 1970. */
  heldUntil?: number;
  /** When it was sent first, in milliseconds since 1970. The answer may have been lost. */
  sentAt?: number;
  /** Why the server refused it, in a sentence. It is not sent again. */
  refused?: string;
};

/** The title that a deed is about. */
export function titleOf(deed: Deed): string {
  return deed.kind === "list" ? deed.item.title : deed.book.title;
}

/** The words before and after the title: "Finished", "rated 8". */
export function wordsAround(deed: Deed): { before: string; after: string } {
  switch (deed.kind) {
    case "place":
      return { before: "", after: `, ${placeName(deed.payload)}` };
    case "finish":
      return { before: "Finished ", after: deed.change.rating == null ? "" : `, rated ${deed.change.rating}` };
    case "list":
      return { before: "", after: " on your TBR" };
    case "quote":
      return { before: "A quote of ", after: "" };
  }
}

/** A deed in one line. */
export function deedText(deed: Deed): string {
  const { before, after } = wordsAround(deed);
  return before + titleOf(deed) + after;
}

/** What was kept of a refused act: `Your note of Nov 12 (page 212) was kept here.` */
export function keptText(act: Act): string {
  const day = monthDay(act.kind === "place" ? act.date : act.day);
  switch (act.kind) {
    case "place":
      return `Your note of ${day} (${placeName(act.payload)}) was kept here.`;
    case "finish":
      return `Your note of ${day} (finished) was kept here.`;
    case "list":
      return `Your note of ${day} (to read) was kept here.`;
    case "quote":
      return `Your quote of ${day} was kept here.`;
  }
}

/** A refused act as text, for pasting it somewhere else. */
export function copyText(act: Act): string {
  switch (act.kind) {
    case "place":
      return [`${act.book.title}, ${placeName(act.payload)}, ${act.date}`, act.payload.note].filter(Boolean).join("\n");
    case "finish":
      return `${deedText(act)}, ${act.change.dateCompleted ?? act.day}`;
    case "list":
      return [[act.item.title, act.item.author].filter(Boolean).join(", "), act.item.notes].filter(Boolean).join("\n");
    case "quote":
      return `${act.text}\n${act.book.title}`;
  }
}

/** Why an act was refused, in a sentence. */
export function refusalOf(deed: Deed, error: ApiError): string {
  const title = `“${titleOf(deed)}”`;
  if (error.status === 404 && deed.kind !== "list") return `${title} was deleted elsewhere.`;
  if (error.code === "finished") return `${title} was finished elsewhere.`;
  const [field] = Object.values(error.fields);
  return `${title}: ${field ?? serverMessage(error, "The server refused it.")}`;
}

/** A book with the place that waits in this browser, unless the server knows a later one. */
export function withNotedPlace(book: Book, acts: readonly Act[]): Book {
  let shown = book;
  for (const act of acts) {
    if (act.kind !== "place" || act.book.id !== book.id || act.date < (shown.progress?.day ?? "")) continue;
    const { page = null, percent, time } = act.payload;
    const noted = time === undefined ? placeIn(page, book.pages) : placeIn(readMinutes(time), book.minutes);
    const at = percent === undefined ? noted : Math.round(percent * 100);
    if (at !== null) shown = { ...book, progress: { at, page, day: act.date } };
  }
  return shown;
}

/** The place of a page or a minute in hundredths of a percent, rounded down; null where it is not known. */
function placeIn(reached: number | null, length: number | null): number | null {
  return reached === null || length === null ? null : Math.min(WHOLE, Math.floor((reached * WHOLE) / length));
}
