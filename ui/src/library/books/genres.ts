import type { Book, Tally } from "../../kit/api/types";
import { genreKey } from "../../kit/fold";

type Counted = Pick<Book, "genres" | "wordCount">;

/**
 * The names of the genres, most words first, as they are once a book is saved. `stored` is the book as it is counted now; a
 * book that is not counted yet has none.
 */
export function genresWith(
  tallies: readonly Tally[],
  book: Counted,
  stored?: Counted & Pick<Book, "status">,
): string[] {
  const sums = new Map(tallies.map(({ name, words }) => [genreKey(name), { name, words }]));
  const add = ({ genres, wordCount }: Counted, sign: 1 | -1) => {
    for (const [key, name] of new Map(genres.map((genre) => [genreKey(genre), genre]))) {
      const sum = sums.get(key) ?? { name, words: 0 };
      sums.set(key, { ...sum, words: sum.words + sign * wordCount });
    }
  };
  if (stored && stored.status !== "in-progress") add(stored, -1);
  add(book, 1);
  return [...sums.values()]
    .sort((one, other) => other.words - one.words || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name);
}
