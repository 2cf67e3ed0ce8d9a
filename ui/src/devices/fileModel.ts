/** Files from devices, in words. */
import type { DayColumn, DayField, ReadingReport } from "../kit/api/types";
import { counted, duration } from "../kit/format";
import type { Figure } from "../library/import/Tally";
import { UNUSED } from "../library/import/texts";

/** What the columns of a table of days are, as chosen; by their names, which may be any text. */
export type Columns = ReadonlyMap<string, DayField | null>;

/** The choices for a column of a table of days. */
export const DAY_FIELDS: readonly { value: DayField | typeof UNUSED; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "title", label: "Title" },
  { value: "author", label: "Author" },
  { value: "page", label: "Page reached" },
  { value: "percent", label: "Percent reached" },
  { value: "minutes", label: "Minutes read" },
  { value: UNUSED, label: "Don’t use" },
];

/** The column that a table of days lacks; null where it can be read. */
export function lacking(columns: readonly DayColumn[]): string | null {
  if (columns.length === 0) return null;
  const has = (...fields: DayField[]) => columns.some(({ field }) => field !== null && fields.includes(field));
  if (!has("day")) return "day";
  if (!has("title")) return "title";
  return has("page", "percent", "minutes") ? null : "page, the percentage or the minutes";
}

/** The extensions of files that devices and their programs write. */
export const FILES = ".sqlite3,.sqlite,.db,.zip,.csv,.tsv,.txt,.json";

/** The maximum size of a file in bytes. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** The reason why a file is not sent at all, or null. */
export function fileRefusal(name: string, size: number): string | null {
  if (/\.(epub|kepub|mobi|azw3?|pdf|cbz|fb2)$/i.test(name)) {
    return "This is a book, not a record of reading. Open it in Add Book, or at its document under “What is this?”.";
  }
  if (size === 0) return "This file is empty.";
  return size > LARGEST_FILE ? "This file is larger than 64 MB." : null;
}

const FORMATS: Readonly<Record<ReadingReport["format"], string>> = {
  koreader: "KOReader’s statistics",
  readwise: "Readwise’s highlights",
  kobo: "A Kobo’s library",
  kindle: "Amazon’s Kindle data",
  calibre: "Calibre’s library",
  days: "A table of days",
};

/** Whose file it is. */
export const formatName = ({ format }: ReadingReport) => FORMATS[format];

/** What a file brings, as figures. */
export function fileFigures({ documents, days, minutes, quotes }: ReadingReport): Figure[] {
  const figures: Figure[] = [
    ["Books", documents],
    ["Days", days],
    ["Hours", Math.round(minutes / 60)],
    ["Quotes", quotes],
  ];
  return figures.filter(([, value]) => value > 0);
}

/** What a file brings: `12 books, 214 days, 96 h`. */
export function fileText({ documents, days, minutes, quotes }: ReadingReport): string {
  const parts = [
    counted(documents, "book"),
    days > 0 && counted(days, "day"),
    minutes > 0 && duration(minutes),
    quotes > 0 && counted(quotes, "quote"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** What is asked afterwards, and what is left out: `3 finishes to confirm. 5 rows left out: they can’t be read.` */
export function fileNotes({ finished, rejected }: ReadingReport): string {
  const notes = [
    finished > 0 && `${counted(finished, "finish", "finishes")} to confirm.`,
    rejected > 0 && `${counted(rejected, "row")} left out, because ${rejected === 1 ? "it" : "they"} can’t be read.`,
  ];
  return notes.filter(Boolean).join(" ");
}
