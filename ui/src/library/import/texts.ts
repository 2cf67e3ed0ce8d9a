import { PLAN_NAMES } from "../../access/subscription";
import type { ImportPreview, ImportProgress, ImportResult, PastImport, UndoneImport } from "../../kit/api/types";
import { counted, whole } from "../../kit/format";
import { WORDS_PER_MINUTE } from "../books/numbers";
import { type Choices, FIRST_ROWS, type FieldName, type Kind, type Place, type Refused } from "./model";
import type { Figure } from "./Tally";

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
  libby: "Libby timeline",
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

/** The name of the figure of books without a length. */
export const NO_LENGTH = "Without a length";

/** The name of a past import that a script made without a name. */
export const UNNAMED = "A file without a name";

const items = (count: number) => counted(count, "TBR item");
const joined = (parts: readonly (string | false)[], by: string) => parts.filter(Boolean).join(by);

/** The expected result of a file: `190 books, 24 to your TBR`. */
export function outcome(kind: Kind, { imported, importedTbr }: Pick<ImportResult, "imported" | "importedTbr">): string {
  if (kind === "tbr") return items(imported);
  return joined([counted(imported, "book"), importedTbr > 0 && `${whole(importedTbr)} to your TBR`], ", ");
}

/** The recognised format of a file. */
export function formatText({ format, columns }: Pick<ImportPreview, "format" | "columns">): string {
  const known = FORMATS[format];
  if (known) return known;
  const isMatched = columns.length > 0 && columns.every(({ field }) => field !== null);
  if (!isMatched) return `We don’t know this format: ${counted(columns.length, "column")}. Say what each one is.`;
  return `We don’t know this format. We matched ${columns.length === 1 ? "its column" : `all ${columns.length} columns`}: please check.`;
}

/** What an import would add, and how many rows it would not. */
export function figures(kind: Kind, preview: ImportPreview): Figure[] {
  const { imported, importedTbr, skipped, errors } = preview;
  const added: Figure[] =
    kind === "tbr"
      ? [["To be read", imported]]
      : [
          ["Books", imported],
          ["To be read", importedTbr],
        ];
  return [...added, ["Skipped", skipped + errors]];
}

/** How many of the new rows the preview shows: `the first 4 of 190 books`. */
export function shownText({ books, tbr, imported, importedTbr }: ImportPreview): string {
  const [rows, all, noun] =
    books.length > 0 ? ([books, imported, "book"] as const) : ([tbr, importedTbr || imported, "TBR item"] as const);
  const shown = Math.min(rows.length, FIRST_ROWS);
  return all > shown ? `the first ${shown} of ${counted(all, noun)}` : counted(all, noun);
}

/** The rows that have errors of their own, without the books that only have no room in the plan. */
export function ownErrors({ errors, beyondLimit = 0 }: Pick<ImportResult, "errors" | "beyondLimit">): number {
  return errors - beyondLimit;
}

/** Says that books have no room in the plan: `1,224 books do not fit the Reader plan`. */
export function beyondText(books: number): string {
  return `${counted(books, "book")} ${books === 1 ? "does" : "do"} not fit the ${PLAN_NAMES.reader} plan`;
}

/** What is to be known before importing: rows that are left out, and days in the future. */
export function previewNotes(preview: ImportPreview, keepsSameReads = false): string {
  const { skipped, leftOut = 0, sameRead = 0, futureBooks = 0, takenOffTbr = 0, hiddenBooks = 0, shelves } = preview;
  const errors = ownErrors(preview);
  const known = skipped - leftOut - (keepsSameReads ? 0 : sameRead);
  const are = (rows: number) => `${whole(rows)} ${rows === 1 ? "is" : "are"}`;
  const notes = [
    known > 0 && `${are(known)} here already and skipped.`,
    leftOut > 0 && `${are(leftOut)} ${shelves.length > 0 ? "on shelves that you leave out" : "left out"}.`,
    errors > 0 && `${counted(errors, "row")} can’t be imported.`,
    preview.restored !== undefined &&
      `The file also has ${counted(preview.restored.covers, "cover")}, ${counted(preview.restored.tagShelves, "shelf", "shelves")} and ${counted(preview.restored.goals, "goal")}: what you have already stays.`,
    takenOffTbr > 0 &&
      `${items(takenOffTbr)} ${takenOffTbr === 1 ? "is" : "are"} finished in this file and ${takenOffTbr === 1 ? "leaves" : "leave"} your TBR.`,
    Boolean(preview.mendedText) && "Garbled letters such as “Ã±” are mended.",
    futureBooks > 0 &&
      `${counted(futureBooks, "book")} ${futureBooks === 1 ? "has" : "have"} a date in the future: please check the dates.`,
    hiddenBooks > 0 &&
      `${counted(hiddenBooks, "book")} ${hiddenBooks === 1 ? "was" : "were"} finished before the history that your plan shows: ${hiddenBooks === 1 ? "it is" : "they are"} imported and not shown.`,
  ];
  return joined(notes, " ");
}

/** Where the lengths of the books come from. */
export function lengthNotes({ estimatedWords, withoutWords = 0, books }: ImportPreview): string {
  const ofLength = books.some(({ wordCountSource }) => wordCountSource === "minutes");
  const notes = [
    estimatedWords > 0 &&
      `We estimated ${counted(estimatedWords, "word count")} at 275 words a page${ofLength ? ` or ${WORDS_PER_MINUTE} a minute` : ""}.`,
    withoutWords > 0 &&
      `${counted(withoutWords, "book")} ${withoutWords === 1 ? "has no length and counts" : "have no length and count"} as 0 words. You can add it later.`,
  ];
  return joined(notes, " ");
}

/** How many shelves are named where they are folded. */
const FOLDED_SHELVES = 2;

/** The genres that get their usual names: `sci-fi → Science Fiction, ya → Young Adult`. */
export const genreNamesText = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([shelf, genre]) => `${shelf} → ${genre}`)
    .join(", ");

/** What becomes of the reader's own shelves: `abandoned: Leave out, 3 become tags`. */
export function shelvesText(preview: ImportPreview, choices: Choices): string {
  const { shelves, otherShelves = [], genreNames = {} } = preview;
  const renamed = choices.keepsGenreNames ? 0 : Object.keys(genreNames).length;
  const placeOf = ({ name, guess }: ImportPreview["shelves"][number]) => {
    const place = choices.shelves.get(name) ?? guess;
    return `${name}: ${PLACES.find(({ value }) => value === place)?.label ?? place}`;
  };
  const others = shelves.length - FOLDED_SHELVES;
  return joined(
    [
      ...shelves.slice(0, FOLDED_SHELVES).map(placeOf),
      others > 0 && `${whole(others)} more`,
      otherShelves.length > 0 &&
        `${whole(otherShelves.length)} ${otherShelves.length === 1 ? `becomes a ${choices.allShelves ? "genre" : "tag"}` : `become ${choices.allShelves ? "genres" : "tags"}`}`,
      renamed > 0 && `${counted(renamed, "genre")} renamed`,
    ],
    ", ",
  );
}

/** The details that hold, as far as they differ from what a file says: `series stored separately, lengths from pages`. */
export function detailsText(preview: ImportPreview, choices: Choices): string {
  const { seriesTitles = 0, estimatedWords, withoutWords = 0, earlierReads, audioPages = 0, sameRead = 0 } = preview;
  const asks = (field: string) => preview.asks?.find((question) => question.field === field);
  return joined(
    [
      seriesTitles > 0 && (choices.keepsSeries ? "series also in the title" : "series stored separately"),
      estimatedWords > 0 && "lengths from pages",
      (earlierReads > 0 || choices.earlierReads) && `earlier reads ${choices.earlierReads ? "added" : "left out"}`,
      audioPages > 0 && (choices.audioPages ? "hours of audiobooks" : "some audiobooks without a length"),
      withoutWords > 0 && `${whole(withoutWords)} without a length`,
      sameRead > 0 && `editions of one read ${choices.keepsSameReads ? "kept" : "counted once"}`,
      asks("names") !== undefined && `names ${choices.keepsNames ? "as they are" : "turned around"}`,
      asks("format") !== undefined && `${choices.format ?? asks("format")?.preset} if the file doesn’t say`,
    ],
    ", ",
  );
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
    januaryFirsts = 0,
    january1970 = 0,
    audioPages = 0,
    seriesTitles = 0,
    sameRead = 0,
    restored,
    asks = [],
  }: ImportPreview,
  choices: Pick<Choices, "earlierReads">,
): {
  choice:
    | "earlierReads"
    | "januaryFirsts"
    | "january1970"
    | "audioPages"
    | "keepsSeries"
    | "keepsSameReads"
    | "keepsNames"
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
      text: `${counted(seriesTitles, "title")} ${seriesTitles === 1 ? "ends" : "end"} in a series, like “(Dune, #2)”. We’ll store it separately. Keep it in the title too?`,
    },
    sameRead > 0 && {
      choice: "keepsSameReads" as const,
      text:
        sameRead === 1
          ? "1 row is another edition of a book that you finished on the same day, and counts as one read with it. Keep both?"
          : `${whole(sameRead)} rows are other editions of books that you finished on the same day, and count as one read with them. Keep them all?`,
    },
    asks.some(({ field }) => field === "names") && {
      choice: "keepsNames" as const,
      text: "The authors are written last name first, like “Austen, Jane”. We’ll turn them around. Leave them as they are?",
    },
    restored && {
      choice: "preferences" as const,
      text: "This is a complete export. Restore its preferences too?",
    },
  ];
  return all.filter((offer) => offer !== false && offer !== undefined);
}

/** How many rows, or books, are done: `12,400 of 24,100 rows read. ` */
export function progressText(progress: ImportProgress | undefined): string {
  if (!progress?.of) return "";
  const done = progress.phase === "storing" ? "books stored" : "rows read";
  return `${whole(progress.done)} of ${whole(progress.of)} ${done}. `;
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

/** What else a finished import did, as far as it did it. `withoutWords`: the new books without a length. */
export function tally(kind: Kind, result: ImportResult, withoutWords = 0): { name: string; value: number }[] {
  const { imported, importedTbr, takenOffTbr = 0, skipped, leftOut = 0, beyondLimit = 0, estimatedWords } = result;
  const all = [
    { name: "To your TBR", value: kind === "books" && imported > 0 ? importedTbr : 0 },
    { name: "Off your TBR", value: takenOffTbr },
    { name: "Here already, skipped", value: skipped - leftOut },
    { name: "Left out", value: leftOut },
    { name: "Beyond the plan", value: beyondLimit },
    { name: "Word counts estimated from pages", value: estimatedWords },
    { name: NO_LENGTH, value: withoutWords },
    ...(result.restored ? restoredTally(result.restored) : []),
  ];
  return all.filter(({ value }) => value > 0);
}

/** What a complete export has restored beside books and list. */
function restoredTally({
  covers,
  coversLeftOut,
  tagShelves,
  views,
  goals,
  preferences,
}: NonNullable<ImportResult["restored"]>) {
  return [
    { name: "Covers", value: covers },
    { name: "Covers left out", value: coversLeftOut },
    { name: "Shelves", value: tagShelves },
    { name: "Views", value: views },
    { name: "Goals", value: goals },
    { name: "Preferences", value: preferences },
  ];
}

/** The heading above cells that could not be read. */
export function emptyCells(cells: number): string {
  return `${counted(cells, "cell")} left empty`;
}

/** The rows that share a reason: `Row 41`, or `Rows 52 to 214, 137 of them`. */
export function rowsText({ from, to, rows }: Refused): string {
  return rows === 1 ? `Row ${from}` : `Rows ${from} to ${to}, ${whole(rows)} of them`;
}

/** A past import: what it added to which list, and what it left out. */
export function pastSummary(one: PastImport & { kind: Kind }): string {
  const { kind, beyondLimit = 0 } = one;
  const errors = ownErrors(one);
  return joined(
    [
      outcome(kind, one),
      errors > 0 && `${counted(errors, "row")} with errors`,
      beyondLimit > 0 && beyondText(beyondLimit),
    ],
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
