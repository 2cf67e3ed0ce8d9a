import type { ImportDetail, ImportPreview } from "../../kit/api/types";

/** What a file is imported as: finished books (and what its to-read shelf holds), or items of the TBR list alone. */
export type Kind = "books" | "tbr";

/** Where the rows of a shelf go. */
export type Place = "read" | "reading" | "to-read" | "skip";

/** What a column can be here. */
export type FieldName =
  | "title"
  | "author"
  | "wordCount"
  | "pages"
  | "isbn"
  | "startDate"
  | "dateCompleted"
  | "rating"
  | "rating5"
  | "format"
  | "reread"
  | "readCount"
  | "genres"
  | "impressions"
  | "quotes"
  | "notes"
  | "status";

/** A column of the file, as the server read it. */
export type Column = ImportPreview["columns"][number];

/** What the reader decided about a file, by the names in it. A name may be any text, `constructor` too: hence the maps. */
export interface Choices {
  shelves: ReadonlyMap<string, Place>;
  /** Null keeps a column with each book and uses it for nothing. */
  columns: ReadonlyMap<string, FieldName | null>;
  /** Add reads that the file counts but gives no date for. */
  earlierReads: boolean;
}

export const NO_CHOICES: Choices = { shelves: new Map(), columns: new Map(), earlierReads: false };

/** The fields that go with the file, as the server wants them; absent ones are left to its own guesses. */
export interface ImportFields {
  /** JSON: places by shelf. */
  shelfMap?: string;
  /** JSON: fields by column. */
  columnMap?: string;
  earlierReads?: "undated";
}

/** Bytes that a file may have. */
const LARGEST_FILE = 20 * 1024 * 1024;
/** Rows that a list begins with, before more are asked for. */
export const FIRST_ROWS = 4;

/** Why a file is not even sent, or null. */
export function refusal(name: string, size: number): string | null {
  if (!/\.(csv|tsv|txt)$/i.test(name)) {
    return "Only .csv files can be imported, and .tsv or .txt as some trackers write them. Nothing was imported.";
  }
  if (size > LARGEST_FILE) {
    return "This file is larger than 20 MB. Split it into smaller ones. Nothing was imported.";
  }
  return size === 0 ? "This file is empty. Nothing was imported." : null;
}

/** Each column as what it will be read as: as chosen, else as the server reads or guesses it. */
export function columnsChosen(columns: readonly Column[], choices: Choices): Column[] {
  return columns.map((column) => {
    const chosen = choices.columns.get(column.name);
    return chosen === undefined ? column : { ...column, field: chosen };
  });
}

/**
 * Takes in what a column is to be. Going back to what the server says itself is no choice: a known format reads its own
 * columns better than a column mapped by hand can be read.
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
 * The fields to send. A file of no known format needs all of its columns named, the guessed ones too; of a known one only
 * those that the reader changed.
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
  return fields;
}

/** A map as a JSON object. `Object.fromEntries` keeps every name, `__proto__` too, as one of the object's own. */
function jsonObject(map: ReadonlyMap<string, string | null>): string {
  return JSON.stringify(Object.fromEntries(map));
}

/** What no column is yet, of what there must be; null when the file can be imported. Known formats know their own. */
export function missingField(format: string, columns: readonly Column[], kind: Kind): "title" | "author" | null {
  if (format !== "unknown") return null;
  const has = (field: FieldName) => columns.some((column) => column.field === field);
  if (!has("title")) return "title";
  return kind === "books" && !has("author") ? "author" : null;
}

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

/** What a file is most likely meant as: one that says nothing of any reading is a list of books to be read. */
export function likelyKind(columns: readonly Column[]): Kind {
  return columns.some(({ field }) => field !== null && OF_READING.includes(field)) ? "books" : "tbr";
}

/** Several rows that can't be taken, for one reason. */
export interface Refused {
  /** The first row's line in the file, and the last's. */
  from: number;
  to: number;
  rows: number;
  message: string;
}

/** Reasons that more rows share than this are told once. */
const TOLD_ONE_BY_ONE = 3;

/** The rows that can't be taken, in the file's order; those that many have in common as one. */
export function refusedRows(details: readonly ImportDetail[]): Refused[] {
  const byMessage = new Map<string, number[]>();
  for (const { row, message } of details) byMessage.set(message, [...(byMessage.get(message) ?? []), row]);
  return [...byMessage]
    .flatMap(([message, lines]) => {
      if (lines.length > TOLD_ONE_BY_ONE) {
        return [{ from: Math.min(...lines), to: Math.max(...lines), rows: lines.length, message }];
      }
      return lines.map((line) => ({ from: line, to: line, rows: 1, message }));
    })
    .sort((a, b) => a.from - b.from);
}

/**
 * For how many books the plan has room, where the file holds more than that; null where it has room for all, or the plan
 * no limit.
 */
export function roomLeft(
  preview: Pick<ImportPreview, "imported" | "errors">,
  limits: { bookLimit: number | null; bookCount: number },
): number | null {
  if (limits.bookLimit === null || preview.errors === 0) return null;
  const room = Math.max(0, limits.bookLimit - limits.bookCount);
  return preview.imported >= room ? room : null;
}
