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
  "other-reads": "Other reads",
  "start-dates": "Start dates",
  "rough-dates": "Rough dates",
  progress: "Progress",
  "stopped-day": "Days of giving up",
  paused: "Pauses",
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
  "line-breaks": "Line breaks",
};

/** The name of a loss in a list. */
export const lossName = (loss: Loss) => NAMES[loss.what];

/** What becomes of the library on the way to a program, in one sentence. */
export function onTheWay({ name, losses }: Program, answers: Answers): string {
  if (losses.length === 0) return "Everything fits.";
  const parts = losses.map(({ what, count }, at) => {
    if (what === "rough-dates") {
      const how = answers.roughDates === "none" ? "left out" : `written as ${count === 1 ? "its" : "their"} last day`;
      return `${counted(count, "rough date")} (${how})`;
    }
    const noun = what === "isbn" ? NAMES[what] : NAMES[what].toLowerCase();
    return at === 0 ? `${noun} of ${counted(count, "book")}` : `${noun} of ${whole(count)}`;
  });
  return `Nothing is lost on the way to ${name} but: ${parts.join(", ")}.`;
}

/** What is said below the name of a program. */
export function hint({ format, losses }: Program): string {
  const count = losses.length;
  const fits = count === 0 ? "Everything fits" : count === 1 ? "1 thing doesn’t fit" : `${count} things don’t fit`;
  const more: Partial<Record<Program["format"], string>> = {
    storygraph: "Reads Goodreads’ form",
    librarything: "Reads Goodreads’ form",
    jelu: "Takes its time over each book",
  };
  return more[format] ? `${fits}. ${more[format]}` : fits;
}

/** The programs whose own importer is not open to tests. */
export const isUntried = ({ format }: Program) =>
  ["goodreads", "storygraph", "hardcover", "librarything"].includes(format);

/** Where a program takes the file. */
export function nextStep({ format, name }: Program, file: string): string {
  return format === "goodreads"
    ? `In Goodreads: My Books, Import and export, choose ${file}.`
    : `Choose ${file} where ${name} imports files.`;
}
