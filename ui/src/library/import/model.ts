import type { Format, ImportDetail, ImportPreview, ImportProgress } from "../../kit/api/types";
import type { DateOrder } from "./dates";

/** What a file is imported as: books (with the items of its to-read shelf), or items of the TBR list only. */
export type Kind = "books" | "tbr";

/** The status that the rows of a shelf get. */
export type Place = "read" | "reading" | "paused" | "did-not-finish" | "to-read" | "skip";

/** The fields that a column can be mapped to. */
export type FieldName =
  | "title"
  | "author"
  | "wordCount"
  | "pages"
  | "minutes"
  | "isbn"
  | "startDate"
  | "dateCompleted"
  | "stoppedDate"
  | "rating"
  | "rating5"
  | "format"
  | "reread"
  | "readCount"
  | "genres"
  | "impressions"
  | "quotes"
  | "notes"
  | "status"
  | "series"
  | "seriesNumber"
  | "tags"
  | "contributors"
  | "publisher"
  | "published"
  | "originalYear"
  | "language";

/** A column of the file, as the server has read it. */
export type Column = ImportPreview["columns"][number];

/**
 * The reader's choices about a file, by the names in the file. A name may be any text, `constructor` included: hence
 * the maps.
 */
export interface Choices {
  shelves: ReadonlyMap<string, Place>;
  /** Null keeps a column with each book and maps it to no field. */
  columns: ReadonlyMap<string, FieldName | null>;
  /** Whether to add reads that the file counts without a date. */
  earlierReads: boolean;
  /** Whether shelves that are not genres become genres, too. */
  allShelves: boolean;
  /** The order of slashed dates; null leaves it to the file. */
  dateOrder: DateOrder | null;
  /** Whether completions on a January 1 become year-only. */
  januaryFirsts: boolean;
  /** Take page counts of audiobooks that look like hours as hours. */
  audioPages: boolean;
  /** Whether Jelu's completions in January 1970 become unknown dates. */
  january1970: boolean;
  /** Whether titles keep the series that stands behind them. */
  keepsSeries: boolean;
  /** Whether each of several rows that are the same read becomes a book. */
  keepsSameReads: boolean;
  /** Whether the preferences of a complete export are taken over. */
  preferences: boolean;
  /** What the books are of a file that does not say it; null leaves it to the button. */
  status: StatusAnswer | null;
  /** The format of books that say none; null leaves it to the server. */
  format: Format | null;
  /** Whether names with the last name first stay so. */
  keepsNames: boolean;
  /** Whether genres stay written as the shelves are named. */
  keepsGenreNames: boolean;
}

/** What the books of a file are that says neither whether nor when they were read; `completed` on the days that it proposes. */
export type StatusAnswer = "completed" | "undated" | "tbr" | "in-progress";

/** The format of the files that Shelfwise exports. */
export const OWN_EXPORT = "shelfwise";

export const NO_CHOICES: Choices = {
  shelves: new Map(),
  columns: new Map(),
  earlierReads: false,
  allShelves: false,
  dateOrder: null,
  januaryFirsts: false,
  audioPages: false,
  january1970: false,
  keepsSeries: false,
  keepsSameReads: false,
  preferences: false,
  status: null,
  format: null,
  keepsNames: false,
  keepsGenreNames: false,
};

/** The form fields that are sent with the file. The server guesses the ones that are left out. */
export interface ImportFields {
  /** JSON: statuses by shelf. */
  shelfMap?: string;
  /** JSON: fields by column. */
  columnMap?: string;
  earlierReads?: "undated";
  shelfGenres?: "all";
  dateOrder?: DateOrder;
  januaryFirsts?: "years";
  audioPages?: "hours";
  january1970?: "undated";
  seriesTitles?: "keep";
  sameRead?: "keep";
  preferences?: "restore";
  status?: StatusAnswer;
  format?: Format;
  names?: "keep";
  genreNames?: "keep";
}

/** The maximum size of a file in bytes. */
const LARGEST_FILE = 20 * 1024 * 1024;
/** The number of rows that a list shows at first. */
export const FIRST_ROWS = 4;

/** The reason why a file is not sent at all, or null. */
export function refusal(name: string, size: number): string | null {
  if (/\.(xlsx|xls|xlsm|ods|numbers)$/i.test(name)) {
    return "Only .csv files can be imported, and this is a spreadsheet. Save it as CSV first: in Excel with File, Save As, CSV UTF-8; in LibreOffice with File, Save As, Text CSV; in Google Sheets with File, Download, Comma-separated values. Nothing was imported.";
  }
  if (!/\.(csv|tsv|txt|json|zip)$/i.test(name)) {
    return "Only .csv files can be imported, .tsv, .txt or .json as some trackers write them, and a .zip with one of these in it. Nothing was imported.";
  }
  if (size > LARGEST_FILE) {
    if (/\.zip$/i.test(name)) {
      return "This archive is larger than 20 MB. Unpack it and import books.csv and tbr.csv; with its covers, the person who runs this server can import it (shelfwise import). Nothing was imported.";
    }
    return "This file is larger than 20 MB. Split it into smaller ones. Nothing was imported.";
  }
  return size === 0 ? "This file is empty. Nothing was imported." : null;
}

/** Each column with the field that it is mapped to: the reader's choice, otherwise the server's own reading. */
export function columnsChosen(columns: readonly Column[], choices: Choices): Column[] {
  return columns.map((column) => {
    const chosen = choices.columns.get(column.name);
    return chosen === undefined ? column : { ...column, field: chosen };
  });
}

/**
 * The choices after a column is mapped to a field. Choosing the server's own reading removes the choice, because a
 * known format reads its columns better than a mapping by hand.
 */
export function withColumn(
  choices: Choices,
  { name, field }: Pick<Column, "name" | "field">,
  to: FieldName | null,
): Choices {
  const columns = new Map(choices.columns);
  if (to === field) columns.delete(name);
  else columns.set(name, to);
  return { ...choices, columns };
}

/**
 * The form fields to send. A file of an unknown format needs all of its columns mapped, including the guessed ones; a
 * known format needs only those that the reader has changed.
 */
export function fieldsToSend(first: Pick<ImportPreview, "format" | "columns">, choices: Choices): ImportFields {
  const columns =
    first.format === "unknown"
      ? new Map(columnsChosen(first.columns, choices).map(({ name, field }) => [name, field]))
      : choices.columns;
  const fields: ImportFields = {};
  if (choices.shelves.size > 0) fields.shelfMap = jsonObject(choices.shelves);
  if (columns.size > 0) fields.columnMap = jsonObject(columns);
  if (choices.earlierReads) fields.earlierReads = "undated";
  if (choices.allShelves) fields.shelfGenres = "all";
  if (choices.dateOrder) fields.dateOrder = choices.dateOrder;
  if (choices.januaryFirsts) fields.januaryFirsts = "years";
  if (choices.audioPages) fields.audioPages = "hours";
  if (choices.january1970) fields.january1970 = "undated";
  if (choices.keepsSeries) fields.seriesTitles = "keep";
  if (choices.keepsSameReads) fields.sameRead = "keep";
  if (choices.preferences) fields.preferences = "restore";
  // Books to be read are sent as a list.
  if (choices.status && choices.status !== "tbr") fields.status = choices.status;
  if (choices.format) fields.format = choices.format;
  if (choices.keepsNames) fields.names = "keep";
  if (choices.keepsGenreNames) fields.genreNames = "keep";
  return fields;
}

/** A map as a JSON object. `Object.fromEntries` keeps every name, `__proto__` included, as the object's own property. */
function jsonObject(map: ReadonlyMap<string, string | null>): string {
  return JSON.stringify(Object.fromEntries(map));
}

/** The required field that no column is mapped to; null when the file can be imported. Known formats need no mapping. */
export function missingField(format: string, columns: readonly Column[], kind: Kind): "title" | "author" | null {
  if (format !== "unknown") return null;
  const has = (field: FieldName) => columns.some((column) => column.field === field);
  if (!has("title")) return "title";
  return kind === "books" && !has("author") ? "author" : null;
}

/** The fields that say whether and when a book was read. */
export const SAYS_WHEN: readonly string[] = [
  "status",
  "startDate",
  "dateCompleted",
  "stoppedDate",
] satisfies FieldName[];

const OF_READING: readonly string[] = [
  "startDate",
  "dateCompleted",
  "rating",
  "rating5",
  "format",
  "reread",
  "readCount",
  "status",
  "impressions",
] satisfies FieldName[];

/** The kind that a file is probably meant as. A file without any sign of reading is a list of books to be read. */
export function likelyKind(columns: readonly Column[]): Kind {
  return columns.some(({ field }) => field !== null && OF_READING.includes(field)) ? "books" : "tbr";
}

/** Rows that are refused for the same reason. */
export interface Refused {
  /** The line numbers of the first and the last row. */
  from: number;
  to: number;
  rows: number;
  message: string;
}

/** A reason that more rows than this share is shown once for all of them. */
const LISTED_ONE_BY_ONE = 3;

/** The refused rows in the file's order. Rows with a common reason are grouped. */
export function refusedRows(details: readonly ImportDetail[]): Refused[] {
  const byMessage = new Map<string, number[]>();
  for (const { row, message } of details) byMessage.set(message, [...(byMessage.get(message) ?? []), row]);
  return [...byMessage]
    .flatMap(([message, lines]) => {
      if (lines.length > LISTED_ONE_BY_ONE) {
        return [{ from: Math.min(...lines), to: Math.max(...lines), rows: lines.length, message }];
      }
      return lines.map((line) => ({ from: line, to: line, rows: 1, message }));
    })
    .sort((a, b) => a.from - b.from);
}

/**
 * The number of books that the plan has room for, when the file holds more; null when there is room for all, or when
 * the plan has no limit.
 */
export function roomLeft(
  preview: Pick<ImportPreview, "imported" | "errors">,
  limits: { bookLimit: number | null; bookCount: number },
): number | null {
  if (limits.bookLimit === null || preview.errors === 0) return null;
  const room = Math.max(0, limits.bookLimit - limits.bookCount);
  return preview.imported >= room ? room : null;
}

/** The parts of the bar, from 0 to 1, at the beginning and the end of what the server does with a file that was sent. */
const PHASES: Record<ImportProgress["phase"], readonly [from: number, to: number]> = {
  waiting: [0.2, 0.2],
  reading: [0.2, 0.5],
  comparing: [0.5, 0.6],
  storing: [0.6, 1],
};

/** How much of an import is done, 0 to 1. `sent`: the part of the file that was sent. `progress`: how far the server is, if known. */
export function partDone(sent: number, progress: ImportProgress | undefined): number {
  if (!progress) return sent * PHASES.waiting[0];
  const [from, to] = PHASES[progress.phase];
  return from + (to - from) * partRead(progress);
}

/** How much of a file is read, 0 to 1. */
export const partRead = ({ done, of }: ImportProgress) => (of ? done / of : 0);
