/** Series as their pages show them. */
import type { Book, SeriesEntry, TbrItem } from "../../kit/api/types";
import { titleKey } from "../../kit/fold";
import { and, counted, whole } from "../../kit/format";
import { isFinished } from "../books/read";
import { byNumber, numbered, wholeNumbers } from "../books/seriesNumber";

const UNTIL_TEN = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** From how many whole numbers in a row on only the first and the last are named. */
const RUN = 4;

/** `#1`, `#1 and #2`, `#1, #2 and #4`, `#1 to #9 and #11`. `numbers` are in order. */
function listed(numbers: readonly string[]): string {
  const runs: string[][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && Number(number) === Number(run.at(-1)) + 1) run.push(number);
    else runs.push([number]);
  }
  const named = runs.flatMap((run) => (run.length < RUN ? run.map(numbered) : `#${run[0]} to #${run.at(-1)}`));
  return and(named);
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
  if (!isWhollyRead(series)) return heldLine(series);
  return length === 2 ? "Both read." : `All ${UNTIL_TEN[length] ?? length} read.`;
}

/** A series and a number behind the title of an item on the to-be-read list, as trackers write them: `Tehanu (Earthsea, #4)`. */
const BEHIND_TITLE = /^(.+?)\s*\(([^()]+?),?\s*#([^\s#;()]+)(?:;[^()]*)?\)$/;

/** The title of an item on the list that names its series, so that {@link listedBySeries} finds it. */
export const titleInSeries = (title: string, series: string, number: string): string =>
  `${title.trim()} (${series}, #${number})`;

/** A book of a series that is on the to-be-read list. */
export interface Listed {
  /** The title without the series. */
  title: string;
  number: string;
  /** The place in the list, from 1 on. */
  place: number;
}

/** Finds the books on the list whose titles name a series, in the order of the list. */
export function listedBySeries(items: readonly TbrItem[]): (name: string) => readonly Listed[] {
  const found = new Map<string, Listed[]>();
  items.forEach((item, at) => {
    const [, title, series, number] = BEHIND_TITLE.exec(item.title.trim()) ?? [];
    if (title === undefined || series === undefined || number === undefined) return;
    const key = titleKey(series);
    found.set(key, [...(found.get(key) ?? []), { title, number, place: at + 1 }]);
  });
  return (name) => found.get(titleKey(name)) ?? [];
}

/** A whole number of a series: read, on the shelf or the list without having been read, or missing. */
export interface Place {
  number: string;
  state: "read" | "held" | "missing";
  /** The newest read, as far as the books are known. */
  book: Book | null;
}

/**
 * The whole numbers of a series in their order, each with its read. For numbers whose reads are not fetched, the list of series says
 * how many books are read and which number comes next; the numbers before that one, or all where none comes, count as read when there
 * are that many.
 */
export function placesOf(
  { known, missing, next, read }: SeriesEntry,
  reads: readonly Book[] = [],
  listed: readonly Listed[] = [],
): Place[] {
  const whole = new Set(known.flatMap(wholeNumbers));
  const before = known.filter((number) => wholeNumbers(number).some((at) => next === null || at < next));
  const finished = new Set(before.length <= read ? before.flatMap(wholeNumbers) : []);
  const held = [...whole].map((at): Place => {
    const own = reads.filter(({ series }) => wholeNumbers(series?.number ?? "").includes(at));
    const isRead = own.length > 0 ? own.some(isFinished) : finished.has(at);
    return { number: String(at), state: isRead ? "read" : "held", book: newestOfEach(own)[0] ?? null };
  });
  const wanted = new Set(listed.flatMap(({ number }) => wholeNumbers(number)));
  for (const number of whole) wanted.delete(number);
  const onList = [...wanted].map((at): Place => ({ number: String(at), state: "held", book: null }));
  const others = missing.filter((number) => !wanted.has(number)).map(String);
  const gaps = others.map((number): Place => ({ number, state: "missing", book: null }));
  return [...held, ...onList, ...gaps].sort((one, other) => Number(one.number) - Number(other.number));
}

/**
 * The lowest number that is known to exist and was neither read nor given up; null when there is none, or when that book is being read.
 */
export function nextOf(places: readonly Place[]): Place | null {
  const next = places.find(({ state, book }) => state !== "read" && book?.status !== "did-not-finish");
  return next === undefined || next.book?.status === "in-progress" ? null : next;
}

/** What comes next, in the list of series: `Next: #2, on your TBR`. */
export function nextLine({ number, state, book }: Place, listed: readonly Listed[]): string {
  if (state === "missing") return `Next: #${number}`;
  const isListed = !book && listed.some((one) => wholeNumbers(one.number).includes(Number(number)));
  return isListed ? `Next: #${number}, on your TBR` : `Next: #${number}, on your shelf`;
}

/** The number after the last one of a series that is read to its end; null for another one. */
export function beyond(places: readonly Place[]): number | null {
  const last = places.at(-1);
  return last !== undefined && places.every(({ state }) => state === "read") ? Number(last.number) + 1 : null;
}

/** Of each book the read that comes first in the list. */
export function firstOfEach(reads: readonly Book[]): Book[] {
  const seen = new Set<number>();
  return reads.filter(({ work }) => !seen.has(work) && seen.add(work));
}

/** The newest read of each book. */
export function newestOfEach(reads: readonly Book[]): Book[] {
  return firstOfEach([...reads].sort((one, other) => other.id - one.id));
}

/** Reads by the name of their series. */
export function bySeries(reads: readonly Book[]): ReadonlyMap<string, readonly Book[]> {
  const found = new Map<string, Book[]>();
  for (const read of reads) {
    const name = read.series?.name;
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), read]);
  }
  return found;
}

/** The authors of a series in the order of its books, each once. */
export const authorsOf = (reads: readonly Book[]): string[] => [...new Set(reads.flatMap(({ authors }) => authors))];

/** The authors that are named before the others are only counted. */
const NAMED = 4;

/** The authors of a series, of many only the first: `Ursula K. Le Guin`, `Toni Morrison, Virginia Woolf and 12 more`. */
export function authorsLine(authors: readonly string[]): string {
  if (authors.length <= NAMED) return authors.join(", ");
  const named = authors.slice(0, NAMED - 1);
  return `${named.join(", ")} and ${whole(authors.length - named.length)} more`;
}

/** The read that goes on, if there is one. */
export const openOf = (reads: readonly Book[]): Book | undefined =>
  reads.find(({ status, pausedSince }) => status === "in-progress" && pausedSince === null);

/** An open read of a series with its place: `Reading #2, 38%`. */
export function readingLine(open: Book): string {
  const place = open.progress && open.progress.at > 0 ? `, ${Math.round(open.progress.at / 100)}%` : "";
  return `Reading ${open.series?.number ? numbered(open.series.number) : open.title}${place}`;
}

/** A row of a series' page: a number with its book on the shelf or the list, or a number that is missing. */
export interface SeriesRow {
  /** Null for a book without a number. */
  number: string | null;
  /** The newest read; null for a missing number. */
  book: Book | null;
  /** The book on the list, where there is none on the shelf. */
  listed?: Listed;
}

/** The books of a series, each once, those on the list, and its missing numbers, in order. */
export function rowsOf(
  reads: readonly Book[],
  missing: readonly number[],
  listed: readonly Listed[] = [],
): SeriesRow[] {
  const books = newestOfEach(reads).map((book): SeriesRow => ({ number: book.series?.number ?? null, book }));
  const known = new Set(books.map(({ number }) => number));
  const wanted = new Map<string, Listed>();
  for (const one of listed) if (!known.has(one.number) && !wanted.has(one.number)) wanted.set(one.number, one);
  const onList = [...wanted.values()].map((one): SeriesRow => ({ number: one.number, book: null, listed: one }));
  const onListNumbers = new Set(onList.flatMap(({ number }) => wholeNumbers(number ?? "")));
  const others = missing.filter((number) => !onListNumbers.has(number)).map(String);
  const gaps = others.map((number): SeriesRow => ({ number, book: null }));
  return [...books, ...onList, ...gaps].sort((one, other) => byNumber(one.number, other.number));
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
