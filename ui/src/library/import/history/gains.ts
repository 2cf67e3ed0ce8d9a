/** What a fill-in adds, in words. */
import type { Refill, RefillField } from "../../../kit/api/types";
import { counted, duration, instantDate, whole } from "../../../kit/format";
import { tracker } from "../sync/texts";

/** The label of each field. */
export const LABELS: Record<RefillField, string> = {
  series: "Series and number, no longer in the title",
  title: "Subtitles, behind the title",
  authors: "Second authors",
  contributors: "Translators, narrators and others",
  tags: "Tags, from shelves of your own",
  publisher: "Publisher",
  published: "Year published",
  originalYear: "Year of the first edition",
  language: "Language",
  isbn: "ISBN",
  pages: "Pages",
  minutes: "Lengths of audiobooks",
  audioPages: "Page counts of audiobooks that look like hours, as hours",
  words: "Words, from the file or at 275 a page",
  ratings: "Quarter ratings",
  dates: "Dates that were not read before",
  progress: "The place in books that are open",
  copiedRatings: "Keep rating and review on the latest read only",
};

/** A value of an example as it is shown: numbers of words and pages with separators, and a dash for none. */
export function exampleText(field: RefillField, value: string | null): string {
  if (value === null) return "–";
  if (field === "minutes" && /^\d+$/.test(value)) return duration(Number(value));
  const isNumber = (field === "words" || field === "pages") && /^\d+$/.test(value);
  return isNumber ? whole(Number(value)) : value;
}

/** The file that can add something: `Goodreads, Mar 3, 2025`, a day in the reader's time zone. */
export function sourceText({ files }: Refill, zone: string | undefined): string {
  const [file, ...more] = files.filter(({ books }) => books > 0);
  if (!file || more.length > 0) return "Your files";
  return `${tracker(file.format) ?? "A file"}, ${instantDate(file.createdAt, zone)}`;
}

/** What the files can add: `can add 4 things to 188 books`. */
export function gainsText({ books, fields }: Refill): string {
  return `can add ${counted(fields.filter((one) => one.chosen && one.books > 0).length, "thing")} to ${counted(books, "book")}`;
}

/** The rows that an import skipped and did not keep: `6 rows of the file from Goodreads of Mar 3, 2025`. */
export function notKeptText({ format, createdAt, notKept }: Refill["files"][number], zone: string | undefined): string {
  const name = tracker(format);
  const one = notKept === 1;
  const givenUp = one ? "maybe a book that you gave up" : "books that you gave up among them";
  return `${counted(notKept, "row")} of the file ${name ? `from ${name} ` : ""}of ${instantDate(createdAt, zone)} ${one ? "was" : "were"} skipped at the time, ${givenUp}, and ${one ? "was" : "were"} not kept.`;
}
