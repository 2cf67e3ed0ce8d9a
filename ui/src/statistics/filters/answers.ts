import type { BookTitle, TbrItem } from "../../kit/api/types";
import { type BookKeys, bookFinder, bookKeys, nameKey, titleFinder, titleKey } from "../../kit/fold";
import { roughDate } from "../../kit/roughDate";

/** A book of the library, or an item of the to-be-read list with its place, counted from 1. */
export type Answer = { book: BookTitle } | { item: TbrItem; place: number };

/** The books and the items shown at most. */
const BOOKS = 5;
const ITEMS = 3;

interface Named {
  title: string;
  author: string | null;
}

/** Something with its keys, which are made once, because each letter typed searches all of them. */
interface Keyed<T> {
  one: T;
  /** Its place in its list, counted from 0. */
  at: number;
  keys: BookKeys;
}

/** A list, ready to be searched. */
export type Searchable<T> = readonly Keyed<T>[];

/** Makes a list ready to be searched. */
export function searchable<T extends Named>(all: readonly T[]): Searchable<T> {
  return all.map((one, at) => ({ one, at, keys: bookKeys(one.title, one.author) }));
}

/** How well a search fits: 0 for the beginning of the title, 3 for the author; null when it does not fit. */
function ranking(search: string): (keys: BookKeys) => number | null {
  const sought = titleKey(search.trim());
  const [inTitle, inBoth] = [titleFinder(search), bookFinder(search)];
  return (keys) => {
    const { shown, title } = keys;
    if (title.startsWith(sought)) return 0;
    if (title.includes(` ${sought}`)) return 1;
    if (inTitle(shown, title)) return 2;
    return inBoth(keys) ? 3 : null;
  };
}

function best<T>(all: Searchable<T>, rankOf: (keys: BookKeys) => number | null, most: number): Keyed<T>[] {
  return all
    .flatMap((known) => {
      const rank = rankOf(known.keys);
      return rank === null ? [] : [{ known, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.known.at - b.known.at)
    .slice(0, most)
    .map(({ known }) => known);
}

/** The best answers to "Have I read this?" by title or author: books first, then the to-be-read list. */
export function answersTo(search: string, titles: Searchable<BookTitle>, list: Searchable<TbrItem>): Answer[] {
  const rankOf = ranking(search);
  return [
    ...best(titles, rankOf, BOOKS).map(({ one }) => ({ book: one })),
    ...best(list, rankOf, ITEMS).map(({ one, at }) => ({ item: one, place: at + 1 })),
  ];
}

/** The names that contain a search, at most two. */
export function authorsOf<T extends { name: string }>(search: string, authors: readonly T[]): T[] {
  const sought = nameKey(search.trim());
  return authors.filter(({ name }) => nameKey(name).includes(sought)).slice(0, 2);
}

/** What became of a book, in a few words. */
export function factOf({ status, dateCompleted, completedFrom }: BookTitle): string {
  if (status === "in-progress") return "reading now";
  if (status === "did-not-finish") return "not finished";
  // An answer that an older version of the program sent, and the browser kept, has no date at all.
  return dateCompleted ? `read ${roughDate(dateCompleted, completedFrom)}` : "read, no date";
}
