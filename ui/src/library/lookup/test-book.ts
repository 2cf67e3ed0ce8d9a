import type { FoundBook } from "../../kit/api/types";

/** A book as Open Library knows it. */
export const KINDRED: FoundBook = {
  source: "openlibrary",
  title: "Kindred",
  authors: ["Octavia E. Butler"],
  pages: 264,
  minutes: null,
  wordCount: 72_600,
  wordCountSource: "pages",
  isbn: "9780807083697",
  publisher: "Beacon Press",
  published: "2003",
  originalYear: 1979,
  language: "en",
  format: null,
  genres: ["Science Fiction"],
  series: null,
  cover: "240727",
};
