import { PLAN_NAMES } from "../../access/subscription";
import type { ImportPreview, ImportResult, PastImport, UndoneImport } from "../../kit/api/types";
import { counted, instantDate, whole } from "../../kit/format";
import { WORDS_PER_MINUTE } from "../books/numbers";
import type { Choices, FieldName, Kind, Place, Refused } from "./model";

const FORMATS: Readonly<Record<string, string>> = {
  shelfwise: "Shelfwise export",
  template: "Shelfwise template",
  goodreads: "Goodreads export",
  storygraph: "StoryGraph export",
  hardcover: "Hardcover export",
  librarything: "LibraryThing export",
  bookwyrm: "BookWyrm export",
  openreads: "Openreads export",
  jelu: "Jelu export",
  yamtrack: "Yamtrack export",
  calibre: "Calibre catalog",
  openlibrary: "Open Library reading log",
  libib: "Libib export",
  readinglist: "Reading List backup",
  bookcatalogue: "Book Catalogue export",
  libation: "Libation export",
};

/** The choices for a shelf. */
export const PLACES: readonly { value: Place; label: string }[] = [
  { value: "read", label: "Read" },
  { value: "reading", label: "Currently reading" },
  { value: "paused", label: "Paused" },
  { value: "did-not-finish", label: "Did not finish" },
  { value: "to-read", label: "To be read" },
  { value: "skip", label: "Leave out" },
];

/** The select's value for an unused column, because a select may have no empty value. */
export const UNUSED = "none";

/** The choices for a column. */
export const TARGETS: readonly { value: FieldName | typeof UNUSED; label: string }[] = [
  { value: "title", label: "Title" },
  { value: "author", label: "Author" },
  { value: "wordCount", label: "Word Count" },
  { value: "pages", label: "Pages, and words at 275 a page" },
  { value: "minutes", label: "Length in minutes or h:mm" },
  { value: "isbn", label: "ISBN" },
  { value: "startDate", label: "Start Date" },
  { value: "dateCompleted", label: "Date Completed" },
  { value: "stoppedDate", label: "Stopped Date" },
  { value: "rating", label: "Rating" },
  { value: "rating5", label: "Rating, doubled to 0-10" },
  { value: "format", label: "Format" },
  { value: "reread", label: "Reread" },
  { value: "readCount", label: "Reread, if more than 1" },
  { value: "genres", label: "Genres" },
  { value: "impressions", label: "Impressions" },
  { value: "quotes", label: "Quotes" },
  { value: "notes", label: "Notes" },
  { value: "status", label: "Status" },
  { value: "series", label: "Series" },
  { value: "seriesNumber", label: "Number in the series" },
  { value: "tags", label: "Tags" },
  { value: "contributors", label: "Contributors" },
  { value: "publisher", label: "Publisher" },
  { value: "published", label: "Published" },
  { value: "originalYear", label: "First published" },
  { value: "language", label: "Language" },
  { value: UNUSED, label: "Keep, don’t use" },
];

/** The button of each kind. */
export const IMPORT_AS: Record<Kind, string> = { books: "Import as Read Books", tbr: "Import as TBR" };

/** Shown before a file is chosen. */
export const NO_FILE = "Please select a file";

/** Shown for a failure without a sentence of its own. */
export const FAILED = "Failed to import CSV";

/** The name of a past import that a script made without a name. */
export const UNNAMED = "A file without a name";

const items = (count: number) => counted(count, "TBR item");
const joined = (parts: readonly (string | false)[], by: string) => parts.filter(Boolean).join(by);

/** The expected result of a file: `190 books, 24 to your TBR`. */
export function outcome(kind: Kind, { imported, importedTbr }: Pick<ImportResult, "imported" | "importedTbr">): string {
  if (kind === "tbr") return items(imported);
  return joined([counted(imported, "book"), importedTbr > 0 && `${whole(importedTbr)} to your TBR`], ", ");
}

/** The recognised format of a file, and its content as far as it is known (`now`). */
export function fileSummary(kind: Kind, first: ImportPreview, now: ImportPreview | undefined): string {
  const format = FORMATS[first.format];
  if (format) return now ? `${format}: ${outcome(kind, now)}` : format;
  const columns = first.columns.length;
  const isMatched = columns > 0 && first.columns.every(({ field }) => field !== null);
  if (!isMatched) return `We don’t know this format: ${counted(columns, "column")}. Say what each one is.`;
  return `We don’t know this format. We matched ${columns === 1 ? "its column" : `all ${columns} columns`}: please check.`;
}

/** What an import would add, shown above the first rows of it. */
export function previewSummary(kind: Kind, { imported, importedTbr }: ImportPreview): string {
  const toTbr = kind === "tbr" ? imported : importedTbr;
  const added = joined(
    [
      kind === "books" && imported > 0 && counted(imported, "book"),
      toTbr > 0 && `${counted(toTbr, "item")} to your TBR`,
    ],
    " and ",
  );
  return added ? `Adds ${added}. The first rows as they were read:` : "Adds nothing new.";
}

/** The rows that have errors of their own, without the books that only have no room in the plan. */
export function ownErrors({ errors, beyondLimit = 0 }: Pick<ImportResult, "errors" | "beyondLimit">): number {
  return errors - beyondLimit;
}

/** Says that books have no room in the plan: `1,224 books do not fit the Reader plan`. */
export function beyondText(books: number): string {
  return `${counted(books, "book")} ${books === 1 ? "does" : "do"} not fit the ${PLAN_NAMES.reader} plan`;
}

/** Notes to read before importing: rows that are left out, days in the future, figures that are calculated. */
export function previewNotes(preview: ImportPreview, keepsSameReads = false): string {
  const { skipped, leftOut = 0, sameRead = 0, futureBooks = 0, takenOffTbr = 0, estimatedWords, shelves } = preview;
  const { hiddenBooks = 0, withoutWords = 0 } = preview;
  const errors = ownErrors(preview);
  const ofLength = preview.books.some(({ wordCountSource }) => wordCountSource === "minutes");
  const known = skipped - leftOut - (keepsSameReads ? 0 : sameRead);
  const are = (rows: number) => `${counted(rows, "row")} ${rows === 1 ? "is" : "are"}`;
  const notes = [
    errors > 0 && `${counted(errors, "row")} can’t be imported.`,
    preview.restored !== undefined &&
      `The file also has ${counted(preview.restored.covers, "cover")}, ${counted(preview.restored.tagShelves, "shelf", "shelves")} and ${counted(preview.restored.goals, "goal")}: what you have already stays.`,
    known > 0 && `${are(known)} already in your library or on your TBR.`,
    leftOut > 0 && `${are(leftOut)} ${shelves.length > 0 ? "on shelves that you leave out" : "left out"}.`,
    takenOffTbr > 0 &&
      `${items(takenOffTbr)} ${takenOffTbr === 1 ? "is" : "are"} finished in this file and ${takenOffTbr === 1 ? "leaves" : "leave"} your TBR.`,
    futureBooks > 0 &&
      `${counted(futureBooks, "book")} ${futureBooks === 1 ? "has" : "have"} a date in the future: please check the dates.`,
    estimatedWords > 0 &&
      `${counted(estimatedWords, "word count")} ${estimatedWords === 1 ? "is" : "are"} worked out at 275 words a page${ofLength ? ` or ${WORDS_PER_MINUTE} a minute` : ""}.`,
    withoutWords > 0 &&
      `${counted(withoutWords, "book")} ${withoutWords === 1 ? "has" : "have"} neither words nor pages, and ${withoutWords === 1 ? "counts" : "count"} with 0 words. Give them words afterwards: look them up, or use “Change books” on the dashboard for many at once.`,
    hiddenBooks > 0 &&
      `${counted(hiddenBooks, "book")} ${hiddenBooks === 1 ? "was" : "were"} finished before the history that your plan shows: ${hiddenBooks === 1 ? "it is" : "they are"} imported and not shown.`,
  ];
  return joined(notes, " ");
}

/** The number of books that the plan has room for, when a file holds more; `beyond` are the others. */
export function capNotice(plan: string, room: number, beyond: number): string {
  const others =
    beyond > 0 ? `${counted(beyond, "book")} ${beyond === 1 ? "does" : "do"} not fit` : "the others do not fit";
  if (room === 0) return `The ${plan} plan has no room for more books: ${others}.`;
  const first = room === 1 ? "The first one in this file is" : `The first ${whole(room)} in this file are`;
  return `The ${plan} plan has room for ${counted(room, "more book")}. ${first} imported, ${others}.`;
}

/** The offer to add reads without a date. */
export function earlierReadsOffer(reads: number): string {
  return `Also add ${counted(reads, "earlier read")} that the file counts but gives no date for`;
}

/** The shelves named in the offer to make genres of them. */
const NAMED_SHELVES = 5;

/** The offer to make genres of shelves that are not genres by name. They are kept with the rows in any case. */
export function allShelvesOffer(shelves: readonly string[]): string {
  const others = shelves.length - NAMED_SHELVES;
  const named = shelves.slice(0, NAMED_SHELVES).join(", ");
  return `Also make genres of ${named}${others > 0 ? ` and ${whole(others)} more` : ""}`;
}

/** What the reader may do with the books of a file besides importing them as they are: each with its tick box. */
export function offers(
  {
    earlierReads,
    otherShelves,
    januaryFirsts = 0,
    january1970 = 0,
    audioPages = 0,
    seriesTitles = 0,
    sameRead = 0,
    restored,
  }: ImportPreview,
  choices: Pick<Choices, "earlierReads">,
): {
  choice:
    | "earlierReads"
    | "allShelves"
    | "januaryFirsts"
    | "january1970"
    | "audioPages"
    | "keepsSeries"
    | "keepsSameReads"
    | "preferences";
  text: string;
}[] {
  const were = (books: number) => `${counted(books, "book")} ${books === 1 ? "was" : "were"}`;
  const them = (books: number) => (books === 1 ? "it" : "them");
  const all = [
    (earlierReads > 0 || choices.earlierReads) && {
      choice: "earlierReads" as const,
      text: earlierReadsOffer(earlierReads),
    },
    otherShelves && { choice: "allShelves" as const, text: allShelvesOffer(otherShelves) },
    januaryFirsts > 0 && {
      choice: "januaryFirsts" as const,
      text: `${were(januaryFirsts)} finished on a January 1. Make ${them(januaryFirsts)} year-only?`,
    },
    january1970 > 0 && {
      choice: "january1970" as const,
      text: `${were(january1970)} finished in January 1970, as Jelu writes for unknown dates. Make ${them(january1970)} undated?`,
    },
    audioPages > 0 && {
      choice: "audioPages" as const,
      text: `${counted(audioPages, "audiobook")} ${audioPages === 1 ? "has a page count that looks" : "have page counts that look"} like hours. Take ${them(audioPages)} as hours, at ${WORDS_PER_MINUTE} words a minute? Otherwise ${audioPages === 1 ? "its" : "their"} words stay open.`,
    },
    seriesTitles > 0 && {
      choice: "keepsSeries" as const,
      text: `${counted(seriesTitles, "title")} ${seriesTitles === 1 ? "has" : "have"} a series behind ${them(seriesTitles)}, which becomes the book’s series. Keep it in the title, too?`,
    },
    sameRead > 0 && {
      choice: "keepsSameReads" as const,
      text:
        sameRead === 1
          ? "1 row is another edition of a book that you finished on the same day, and counts as one read with it. Keep both?"
          : `${whole(sameRead)} rows are other editions of books that you finished on the same day, and count as one read with them. Keep them all?`,
    },
    restored && {
      choice: "preferences" as const,
      text: "This is a complete export. Take over its preferences, too?",
    },
  ];
  return all.filter((offer) => offer !== false && offer !== undefined);
}

/** The notice after an import: `Successfully imported 175 books, 3 rows had errors, 12 books do not fit the Reader plan`. */
export function successText(kind: Kind, result: ImportResult): string {
  const { imported, importedTbr, beyondLimit = 0 } = result;
  const errors = ownErrors(result);
  const onlyItems = kind === "books" && imported === 0 && importedTbr > 0;
  const made = kind === "tbr" || onlyItems ? items(onlyItems ? importedTbr : imported) : counted(imported, "book");
  return joined(
    [
      `Successfully imported ${made}`,
      errors > 0 && `${counted(errors, "row")} had errors`,
      beyondLimit > 0 && beyondText(beyondLimit),
    ],
    ", ",
  );
}

/** The figures of a finished import. */
export function tally(kind: Kind, result: ImportResult): { name: string; value: number }[] {
  const made =
    kind === "tbr"
      ? [{ name: "To your TBR", value: result.imported }]
      : [
          { name: "Imported", value: result.imported },
          { name: "To your TBR", value: result.importedTbr },
        ];
  return [
    ...made,
    ...(result.takenOffTbr ? [{ name: "Off your TBR", value: result.takenOffTbr }] : []),
    { name: "Skipped", value: result.skipped },
    { name: "With errors", value: ownErrors(result) },
    ...(result.beyondLimit ? [{ name: "Beyond the plan", value: result.beyondLimit }] : []),
    ...(result.restored ? restoredTally(result.restored) : []),
  ];
}

/** What a complete export has restored beside books and list, as far as it had any. */
function restoredTally({
  covers,
  coversLeftOut,
  tagShelves,
  goals,
  preferences,
}: NonNullable<ImportResult["restored"]>) {
  return [
    { name: "Covers", value: covers },
    { name: "Covers left out", value: coversLeftOut },
    { name: "Shelves", value: tagShelves },
    { name: "Goals", value: goals },
    { name: "Preferences", value: preferences },
  ].filter(({ value }) => value > 0);
}

/** The heading above cells that could not be read. */
export function emptyCells(cells: number): string {
  return `${counted(cells, "cell")} left empty`;
}

/** The rows that share a reason: `Row 41`, or `Rows 52 to 214, 137 of them`. */
export function rowsText({ from, to, rows }: Refused): string {
  return rows === 1 ? `Row ${from}` : `Rows ${from} to ${to}, ${whole(rows)} of them`;
}

/** A past import: what it added to which list, and whether it was undone, on a day in the reader's time zone. */
export function pastSummary(one: PastImport & { kind: Kind }, timeZone: string | undefined): string {
  const { kind, imported, importedTbr, beyondLimit = 0, undone } = one;
  const errors = ownErrors(one);
  const made =
    kind === "tbr"
      ? `${whole(imported)} imported to your TBR`
      : joined([`${counted(imported, "book")} imported`, importedTbr > 0 && `${whole(importedTbr)} to your TBR`], ", ");
  if (undone !== null) return `${made}, undone ${instantDate(undone, timeZone)}`;
  return joined(
    [made, errors > 0 && `${counted(errors, "row")} with errors`, beyondLimit > 0 && beyondText(beyondLimit)],
    ", ",
  );
}

/** What undoing an import removed, and what it left. */
export function undoneText({ removed, removedTbr, restoredTbr = 0, kept, keptTbr }: UndoneImport): string {
  const gone = joined(
    [(removed > 0 || removedTbr === 0) && counted(removed, "book"), removedTbr > 0 && items(removedTbr)],
    " and ",
  );
  const stay = joined(
    [kept.length > 0 && counted(kept.length, "book"), keptTbr.length > 0 && items(keptTbr.length)],
    " and ",
  );
  const back = restoredTbr > 0 ? ` ${items(restoredTbr)} ${restoredTbr === 1 ? "is" : "are"} on your TBR again.` : "";
  const first = `${gone} removed.${back}`;
  if (!stay) return first;
  const one = kept.length + keptTbr.length === 1;
  return `${first} ${stay} ${one ? "stays" : "stay"}, because you have changed ${one ? "it" : "them"} since.`;
}
