/** Series as their pages show them. */
import type { Book, SeriesEntry } from "../../kit/api/types";
import { counted } from "../../kit/format";

const WHOLE = /^\d+$/;
const UNTIL_TEN = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** `#1`, `#1 and #2`, `#1, #2 and #4`. */
function listed(numbers: readonly string[]): string {
  const named = numbers.map((number) => `#${number}`);
  const last = named.at(-1) ?? "";
  return named.length < 2 ? last : `${named.slice(0, -1).join(", ")} and ${last}`;
}

type Held = Pick<SeriesEntry, "read" | "open" | "known">;

/** What the reader has of a series, in a sentence. */
export function heldLine({ read, open, known }: Held): string {
  if (known.length === 0)
    return `You have ${read + open > 0 ? counted(read + open, "book") : "books"} without a number.`;
  return `You have ${listed(known)}.`;
}

/** Whether every known number is read, and none is missing. */
export function isWhollyRead({ read, open, known, missing }: Held & Pick<SeriesEntry, "missing">): boolean {
  return open === 0 && missing.length === 0 && known.length > 1 && read >= known.length;
}

/** As {@link heldLine}, for a series that is read without a gap: `All three read.` */
export function readLine(series: Held & Pick<SeriesEntry, "missing">): string {
  const { length } = series.known;
  return isWhollyRead(series) ? `All ${UNTIL_TEN[length] ?? length} read.` : heldLine(series);
}

/** A whole number of a series: read, on the shelf without having been read, or missing. */
export interface Place {
  number: string;
  state: "read" | "held" | "missing";
}

/**
 * The whole numbers of a series in their order. The list says how many books are read and which number comes next, so the
 * numbers before that one are read when there are enough of them.
 */
export function placesOf({ known, missing, next, read }: SeriesEntry): Place[] {
  const whole = known.filter((number) => WHOLE.test(number));
  const finished = whole.filter((number) => next !== null && Number(number) < next);
  const readOnes = new Set(finished.length <= read ? finished : []);
  const held = whole.map((number): Place => ({ number, state: readOnes.has(number) ? "read" : "held" }));
  const gaps = missing.map((number): Place => ({ number: String(number), state: "missing" }));
  return [...held, ...gaps].sort((one, other) => Number(one.number) - Number(other.number));
}

/** A row of a series' page: a number with its book, or a number that is missing. */
export interface SeriesRow {
  /** Null for a book without a number. */
  number: string | null;
  /** The newest read; null for a missing number. */
  book: Book | null;
}

/** The part of a number by which books are sorted: 1 of `1-3`. Without one a book comes last. */
const order = (number: string | null) => (number === null ? Number.POSITIVE_INFINITY : Number.parseFloat(number));

/** The books of a series, each once, and its missing numbers, in order. */
export function rowsOf(reads: readonly Book[], missing: readonly number[]): SeriesRow[] {
  const newest = new Map<number, Book>();
  for (const read of reads) {
    const known = newest.get(read.work);
    if (!known || known.id < read.id) newest.set(read.work, read);
  }
  const books = [...newest.values()].map((book): SeriesRow => ({ number: book.series?.number ?? null, book }));
  const gaps = missing.map((number): SeriesRow => ({ number: String(number), book: null }));
  return [...books, ...gaps].sort((one, other) => {
    const [a, b] = [order(one.number), order(other.number)];
    return a === b ? 0 : a < b ? -1 : 1;
  });
}

/** Whether a number stands beside the series, as #1.5 does: it is never missing and never the next one. */
export function isBeside(number: string | null): boolean {
  return number !== null && !WHOLE.test(number);
}

/** The icons of shelves by the names under which they are stored. */
export const SHELF_ICONS = [
  { icon: "home", label: "Home" },
  { icon: "hand", label: "Hand" },
  { icon: "bookmark", label: "Bookmark" },
  { icon: "heart", label: "Heart" },
  { icon: "star", label: "Star" },
  { icon: "people", label: "People" },
  { icon: "book", label: "Book" },
  { icon: "ebook", label: "E-reader" },
  { icon: "audio", label: "Headphones" },
  { icon: "globe", label: "Globe" },
  { icon: "tag", label: "Tag" },
  { icon: "lock", label: "Lock" },
] as const;

export type ShelfIcon = (typeof SHELF_ICONS)[number]["icon"];

/** A stored icon, or that of a tag where none is stored. */
export function shelfIcon(stored: string | null): ShelfIcon {
  return SHELF_ICONS.find(({ icon }) => icon === stored)?.icon ?? "tag";
}
