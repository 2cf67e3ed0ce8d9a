import type { components } from "../../kit/api/schema";
import { counted, whole } from "../../kit/format";

type Schemas = components["schemas"];

/** A program for which an export is written, with what it can't hold. */
export type Program = Schemas["ExportFormatReport"];
export type Loss = Schemas["ExportLoss"];
export type Question = Schemas["ExportQuestion"];

/** The answers to the questions; an absent one is the server's default. */
export interface Answers {
  roughDates?: "none";
  ratings?: "up" | "down";
  quotes?: "append";
}

const NAMES: Record<Loss["what"], string> = {
  words: "Words",
  pages: "Pages",
  length: "Lengths",
  "half-points": "Half points",
  ratings: "Ratings",
  "other-reads": "Earlier reads",
  "start-dates": "Start dates",
  "rough-dates": "Rough dates",
  progress: "Progress",
  "stopped-day": "DNF dates",
  paused: "Paused status",
  quotes: "Quotes",
  impressions: "Impressions",
  genres: "Genres",
  tags: "Tags",
  series: "Series",
  authors: "Authors",
  roles: "Roles",
  isbn: "ISBNs",
  format: "Formats",
  edition: "Editions",
  covers: "Covers",
  list: "The list",
  "line-breaks": "Line breaks",
};

/** The name of a loss in a list. */
export const lossName = (loss: Loss) => NAMES[loss.what];

/** Losses by how much they hurt; what is only rounded or written in another way comes last. */
const PAIN: readonly Loss["what"][] = [
  "words",
  "other-reads",
  "impressions",
  "quotes",
  "ratings",
  "start-dates",
  "progress",
  "series",
  "tags",
  "genres",
];

/** Losses, the most painful first. */
export function byPain(losses: readonly Loss[]): Loss[] {
  const rank = ({ what }: Loss) => (PAIN.includes(what) ? PAIN.indexOf(what) : PAIN.length);
  return [...losses].sort((a, b) => rank(a) - rank(b));
}

/** Our own form, which stands on the page by itself. */
export const isOwn = ({ format }: Program) => format === "shelfwise";

/** What stands with the books in a program's file. */
export function withWhat({ format }: Program): string {
  switch (format) {
    case "goodreads":
      return "dates, ratings and shelves";
    case "librarything":
      return "dates, ratings and tags";
    case "storygraph":
    case "bookwyrm":
      return "dates, ratings and reviews";
    default:
      return "dates and ratings";
  }
}

/** What a file holds: `112 books come along, and 15 to be read.` */
export function comesAlong(books: number, items: number): string {
  const come = `${counted(books, "book")} ${books === 1 ? "comes" : "come"} along`;
  return items === 0 ? `${come}.` : `${come}, and ${whole(items)} to be read.`;
}

/** What is to be known of a program. */
export const NOTES: Partial<Record<Program["format"], string>> = {
  storygraph: "Imports Goodreads files.",
  librarything: "Imports Goodreads files.",
  jelu: "Slow: about a second per book.",
};

/** The programs whose own importer is not open to tests. */
export const isUntried = ({ format }: Program) =>
  ["goodreads", "storygraph", "hardcover", "librarything"].includes(format);

/** Where a program takes the file. */
export function nextStep({ format, name }: Program, file: string): string {
  return format === "goodreads"
    ? `Then in Goodreads: My Books, Import and export, choose ${file}.`
    : `Then choose ${file} where ${name} imports files.`;
}
