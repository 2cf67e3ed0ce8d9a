import type { SyncConflict, SyncEntry, SyncResult } from "../../../kit/api/types";
import { counted, longDate, whole } from "../../../kit/format";
import { FIRST_DAY, lastDayOf, roughDate } from "../../../kit/roughDate";
import { numbered } from "../../books/seriesNumber";

/** The names of programs whose files bring a library up to date, by the format of their files. */
const TRACKERS: Readonly<Record<string, string>> = {
  goodreads: "Goodreads",
  storygraph: "StoryGraph",
  hardcover: "Hardcover",
  librarything: "LibraryThing",
  bookwyrm: "BookWyrm",
  openreads: "Openreads",
  jelu: "Jelu",
  yamtrack: "Yamtrack",
  calibre: "Calibre",
  openlibrary: "Open Library",
  libib: "Libib",
  libby: "Libby",
  readinglist: "Reading List",
  bookcatalogue: "Book Catalogue",
  libation: "Libation",
};

/** The name of the program that writes files of a format; null for our own files and unknown ones. */
export function tracker(format: string): string | null {
  return Object.hasOwn(TRACKERS, format) ? (TRACKERS[format] ?? null) : null;
}

const FIELDS: Record<SyncConflict["field"], string> = {
  title: "Title",
  author: "Author",
  status: "Status",
  dateCompleted: "Finished",
  startDate: "Started",
  stoppedDate: "Stopped",
  pausedSince: "Paused",
  rating: "Rating",
  format: "Format",
  reread: "Reread",
  genres: "Genres",
  impressions: "Review",
  quotes: "Quotes",
  wordCount: "Words",
  pages: "Pages",
  minutes: "Length",
  isbn: "ISBN",
  contributors: "Contributors",
  series: "Series",
  tags: "Tags",
  publisher: "Publisher",
  published: "Published",
  originalYear: "First published",
  language: "Language",
  notes: "Notes",
};

/** The name of a field. */
function fieldName(field: SyncConflict["field"]): string {
  return FIELDS[field];
}

const STATUSES: Readonly<Record<string, string>> = {
  "to-read": "on the list",
  "in-progress": "reading",
  "did-not-finish": "did not finish",
  completed: "finished",
  undated: "finished",
};

/** The longest text of a value that is shown. */
const SHOWN = 300;

/** A date as it is exported (`2019-03-01`, `2019`, `2020-03/2020-05`, `../2014`), in words. */
export function dateText(date: string): string {
  if (!/^(\.\.|\d{4}(-\d\d){0,2})(\/\d{4}(-\d\d){0,2})?$/.test(date)) return date;
  const [first = date, last = first] = date.split("/");
  if (date.length === 10 && first === last) return longDate(date);
  const from = first === ".." ? FIRST_DAY : `${first}-01-01`.slice(0, 10);
  return roughDate(last.length === 7 ? lastDayOf(last) : `${last}-12-31`.slice(0, 10), from);
}

/** A value of a field in words. */
export function valueText(field: SyncConflict["field"], value: unknown): string {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) {
    return field.endsWith("Date") || field === "dateCompleted" ? "no date" : "empty";
  }
  if (field === "status") return STATUSES[String(value)] ?? String(value);
  if (Array.isArray(value)) return value.map((one) => nameOf(one)).join(", ");
  if (typeof value === "object") return nameOf(value);
  if (typeof value === "number")
    return field === "originalYear" ? String(value) : String(value).includes(".") ? String(value) : whole(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = String(value);
  if (["dateCompleted", "startDate", "stoppedDate", "pausedSince"].includes(field)) return dateText(text);
  if (field === "impressions" || field === "notes")
    return `“${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}”`;
  return text;
}

/** A person or a series by name. */
function nameOf(value: unknown): string {
  if (typeof value !== "object" || value === null || !("name" in value)) return String(value);
  const number = "number" in value && value.number ? `, ${numbered(String(value.number))}` : "";
  return `${value.name}${number}`;
}

/** What taking the file's value does, where it is more than the value. */
export function theirsText({ field, theirs, mine }: SyncConflict): string {
  if (field !== "status") return valueText(field, theirs);
  if (theirs === "to-read") return "Put it on your TBR again";
  return theirs === "in-progress" && mine !== "did-not-finish" ? "Start it again" : "Go on reading";
}

/** What is in conflict, for the reader. */
export function conflictText({ field, title, mine, theirs, before }: SyncConflict): string {
  if (field === "status")
    return mine === "did-not-finish" ? "Status" : "Status. The finished read is never moved back.";
  if (field !== "rating") return fieldName(field);
  return `“${title}”: rated ${valueText(field, mine)} here, ${valueText(field, theirs)} there; it was ${valueText(field, before)} in the last file.`;
}

/** What becomes of an entry: `read Oct 30, 2025`, `to your TBR`, `rating 7 → 8`. */
export function entryText({ kind, status, completed, fields }: SyncEntry): string {
  const day = completed ? ` ${dateText(completed)}` : "";
  const state = {
    completed: `read${day}`,
    undated: "read",
    "in-progress": "reading",
    "did-not-finish": "did not finish",
  };
  if (kind === "listed") return "to your TBR";
  if (kind !== "changed") return status ? state[status] : "to your TBR";
  const [first] = fields;
  if (fields.length === 1 && first) {
    const { field, from, to } = first;
    if (field === "rating" && from === null) return `rated ${valueText(field, to)}`;
    if (field === "rating") return `rating ${valueText(field, from)} → ${valueText(field, to)}`;
    return fieldName(field).toLowerCase();
  }
  return fields.map(({ field }) => fieldName(field).toLowerCase()).join(", ");
}

/** How many changes a sync takes over. */
export function changesOf({ imported, importedTbr, moved, changed }: SyncResult): number {
  return imported + importedTbr + moved + changed;
}

/** `14 new, 3 moved on, 2 changed` */
export function resultText({ imported, importedTbr, moved, changed }: SyncResult): string {
  return `${whole(imported + importedTbr)} new, ${whole(moved)} moved on, ${whole(changed)} changed`;
}

/** What became of conflicts in which the library's value stays. */
export function leftText(conflicts: number): string {
  return `${counted(conflicts, "conflict")} left unchanged.`;
}

/** How a file and the library are brought together. */
export const RULES = [
  ["Changed there, not here", "theirs"],
  ["Changed here, not there", "yours"],
  ["Changed on both sides", "you choose"],
  ["Removed there", "kept here"],
  ["Finished here, open there", "stays finished"],
] as const;

/** `2 books of the file were deleted here. They stay deleted.` */
export function deletedText(deleted: number): string {
  return deleted === 1
    ? "1 book of the file was deleted here. It stays deleted."
    : `${counted(deleted, "book")} of the file were deleted here. They stay deleted.`;
}
