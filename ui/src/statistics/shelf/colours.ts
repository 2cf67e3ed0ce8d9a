import type { ReactNode } from "react";
import type { ShelfBook, Tally } from "../../kit/api/types";
import { type Blue, formatBlue, OTHER_BLUE } from "../../kit/spine/blue";
import { bluesByRank } from "../../kit/spine/rank";
import { FORMAT_WORDS, valuesOf } from "../../kit/words";

/** One way of colouring the shelf: its name in "blue is …", the blue of a book, and the legend. */
export interface ShelfColours {
  name: string;
  blueOf: (book: ShelfBook) => Blue;
  /** The name that a book's colour stands for, shown in the tip. */
  nameOf: (book: ShelfBook) => string | undefined;
  /** The colours on this shelf, each once. */
  legendOf: (books: readonly ShelfBook[]) => { label: ReactNode; blue: Blue }[];
}

/** Blue by a book's first genre. Genres are ranked by words in the whole visible library. */
export function byGenre(ranked: readonly Tally[]): ShelfColours {
  const names = ranked.map(({ name }) => name);
  const blueOfGenre = bluesByRank(names);
  const blueOf = (book: ShelfBook) => blueOfGenre(book.genres[0]);
  return {
    name: "genre",
    blueOf,
    nameOf: (book) => book.genres[0],
    legendOf: (books) => {
      const used = new Set(books.map(blueOf));
      const own = names.slice(0, 5).map((label, i) => ({ label, blue: (i + 1) as Blue }));
      return [...own, { label: "Other genres", blue: OTHER_BLUE }].filter(({ blue }) => used.has(blue));
    },
  };
}

/** Blue by format. The three blues are fixed. */
export const byFormat: ShelfColours = {
  name: "format",
  blueOf: (book) => formatBlue(book.format),
  nameOf: () => undefined,
  legendOf: (books) =>
    valuesOf(FORMAT_WORDS)
      .filter((format) => books.some((book) => book.format === format))
      .map((label) => ({ label, blue: formatBlue(label) })),
};
