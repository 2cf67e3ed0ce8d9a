import type { BookTitle, TbrItem } from "../../kit/api/types";
import { folded } from "../../kit/fold";

/** A book of the library, or an item of the to-be-read list with its place, counted from 1. */
export type Answer = { book: BookTitle } | { item: TbrItem; place: number };

/** The shortest search that is answered. A single character is in nearly every title. */
const SHORTEST = 2;
/** The books and the items shown at most. */
const BOOKS = 5;
const ITEMS = 3;

interface Named {
  title: string;
  author: string | null;
}

/** Whether a search is long enough for an answer. */
export function isAnswered(search: string): boolean {
  return folded(search.trim()).length >= SHORTEST;
}

/** Something with its title and author folded once, because each key searches all of them. */
interface Folded<T> {
  one: T;
  /** Its place in its list, counted from 0. */
  at: number;
  title: string;
  author: string;
}

/** A list, ready to be searched. */
export type Searchable<T> = readonly Folded<T>[];

/** Makes a list ready to be searched. */
export function searchable<T extends Named>(all: readonly T[]): Searchable<T> {
  return all.map((one, at) => ({ one, at, title: folded(one.title), author: folded(one.author ?? "") }));
}

/** How well a folded search fits: 0 for the beginning of the title, 3 for the author alone; null when it does not fit. */
function rankOf({ title, author }: Folded<unknown>, sought: string): number | null {
  if (title.startsWith(sought)) return 0;
  if (title.includes(` ${sought}`)) return 1;
  if (title.includes(sought)) return 2;
  return author.includes(sought) ? 3 : null;
}

function best<T>(all: Searchable<T>, sought: string, most: number): Folded<T>[] {
  return all
    .flatMap((known) => {
      const rank = rankOf(known, sought);
      return rank === null ? [] : [{ known, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.known.at - b.known.at)
    .slice(0, most)
    .map(({ known }) => known);
}

/** The best answers to "Have I read this?" by title or author: books first, then the to-be-read list. */
export function answersTo(search: string, titles: Searchable<BookTitle>, list: Searchable<TbrItem>): Answer[] {
  const sought = folded(search.trim());
  return [
    ...best(titles, sought, BOOKS).map(({ one }) => ({ book: one })),
    ...best(list, sought, ITEMS).map(({ one, at }) => ({ item: one, place: at + 1 })),
  ];
}

/** The names that contain a search, at most two. */
export function authorsOf<T extends { name: string }>(search: string, authors: readonly T[]): T[] {
  const sought = folded(search.trim());
  return authors.filter(({ name }) => folded(name).includes(sought)).slice(0, 2);
}
