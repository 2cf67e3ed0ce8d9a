import type { Format, StatsOptions } from "../../kit/api/types";
import type { Blue } from "../../kit/spine/blue";
import { bluesByRank } from "../../kit/spine/rank";
import { Swatch } from "../../kit/spine/Swatch";
import { FormatIcon } from "../../kit/ui/FormatIcon";
import { FORMAT_WORDS, valuesOf } from "../../kit/words";
import type { Option } from "./Checklist";

/** The options of the filters, most books first. */
export interface FilterOptions {
  genres: Option[];
  authors: Option[];
  formats: Option[];
}

const mostBooksFirst = (a: Option, b: Option) => b.books - a.books || (a.name < b.name ? -1 : 1);

/** The server's options as the filters show them; a genre's blue depends on its rank by words. */
export function filterOptions(options: StatsOptions | undefined): FilterOptions {
  const genres = options?.genres ?? [];
  const blueOf: (name: string) => Blue = bluesByRank(genres.map(({ name }) => name));
  const booksIn = (format: Format) => options?.formats.find(({ name }) => name === format)?.books ?? 0;
  return {
    genres: genres
      .map(({ name, books }) => ({ name, books, mark: <Swatch blue={blueOf(name)} /> }))
      .sort(mostBooksFirst),
    authors: (options?.authors ?? []).map(({ name, books }) => ({ name, books })).sort(mostBooksFirst),
    formats: valuesOf(FORMAT_WORDS).map((name) => ({ name, books: booksIn(name), mark: <FormatIcon format={name} /> })),
  };
}
