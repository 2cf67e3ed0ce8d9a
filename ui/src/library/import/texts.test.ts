import { expect, it } from "vitest";
import type { ImportPreview, ImportResult } from "../../kit/api/types";
import { dateOrders } from "./dates";
import { NO_CHOICES } from "./model";
import {
  allShelvesOffer,
  capNotice,
  detailsText,
  figures,
  formatText,
  genreNamesText,
  lengthNotes,
  offers,
  pastSummary,
  previewNotes,
  rowsText,
  shelvesText,
  shownText,
  successText,
  tally,
  undoneText,
} from "./texts";

const RESULT: ImportResult = {
  imported: 175,
  importedTbr: 24,
  errors: 3,
  skipped: 12,
  leftOut: 0,
  details: [],
  format: "goodreads",
  importId: 7,
  estimatedWords: 190,
};
const PREVIEW: ImportPreview = {
  ...RESULT,
  importId: null,
  books: [],
  tbr: [],
  shelves: [],
  columns: [],
  earlierReads: 0,
  dateOrder: "ymd",
};

it("a finished import says how many, in books or in TBR items, and how many rows had errors", () => {
  expect(successText("books", RESULT)).toBe("Successfully imported 175 books, 3 rows had errors");
  expect(successText("tbr", { ...RESULT, imported: 24, errors: 0 })).toBe("Successfully imported 24 TBR items");
  expect(successText("books", { ...RESULT, imported: 1, errors: 1 })).toBe(
    "Successfully imported 1 book, 1 row had errors",
  );
  expect(successText("books", { ...RESULT, imported: 0, importedTbr: 24, errors: 0 })).toBe(
    "Successfully imported 24 TBR items",
  );
});

it("a file's format is named, and an unknown one asks what its columns are", () => {
  expect(formatText(PREVIEW)).toBe("Goodreads export");
  const columns = [{ name: "Buch", sample: "", field: null }];
  expect(formatText({ format: "unknown", columns })).toBe("We don’t know this format: 1 column. Say what each one is.");
  const matched = [
    { name: "Buch", sample: "", field: "title" },
    { name: "Autor", sample: "", field: "author" },
  ];
  expect(formatText({ format: "unknown", columns: matched })).toBe(
    "We don’t know this format. We matched all 2 columns: please check.",
  );
});

it("a preview says what is added, left out and estimated", () => {
  expect(figures("books", PREVIEW)).toEqual([
    ["Books", 175],
    ["To be read", 24],
    ["Skipped", 15],
  ]);
  expect(figures("tbr", { ...PREVIEW, imported: 1, importedTbr: 0 })[0]).toEqual(["To be read", 1]);
  expect(previewNotes(PREVIEW)).toBe("12 are here already and skipped. 3 rows can’t be imported.");
  expect(previewNotes({ ...PREVIEW, errors: 0, skipped: 0 })).toBe("");
  expect(lengthNotes({ ...PREVIEW, withoutWords: 9 })).toBe(
    "We estimated 190 word counts at 275 words a page. 9 books have no length and count as 0 words. You can add it later.",
  );
  expect(lengthNotes({ ...PREVIEW, estimatedWords: 1, withoutWords: 1 })).toBe(
    "We estimated 1 word count at 275 words a page. 1 book has no length and counts as 0 words. You can add it later.",
  );
});

it("folded parts say what holds", () => {
  const shelves = ["abandoned", "wont-read", "later", "lent"].map((name) => ({ name, rows: 6, guess: "skip" }));
  const preview = { ...PREVIEW, shelves, otherShelves: ["owned", "signed"], seriesTitles: 60, earlierReads: 9 };
  expect(shelvesText(preview, NO_CHOICES)).toBe("abandoned: Leave out, wont-read: Leave out, 2 more, 2 become tags");
  const chosen = { ...NO_CHOICES, shelves: new Map([["abandoned", "read" as const]]), allShelves: true };
  expect(shelvesText({ ...preview, shelves: shelves.slice(0, 1), otherShelves: ["owned"] }, chosen)).toBe(
    "abandoned: Read, 1 becomes a genre",
  );
  expect(detailsText(preview, NO_CHOICES)).toBe("series stored separately, lengths from pages, earlier reads left out");
  expect(detailsText(preview, { ...NO_CHOICES, keepsSeries: true, earlierReads: true })).toBe(
    "series also in the title, lengths from pages, earlier reads added",
  );
  const asking = {
    ...PREVIEW,
    estimatedWords: 0,
    genreNames: { "sci-fi": "Science Fiction" },
    asks: [
      { field: "names", choices: ["turn", "keep"], preset: "turn" },
      { field: "format", choices: ["Print", "eBook", "Audio"], preset: "Print" },
    ],
  };
  expect(shelvesText(asking, NO_CHOICES)).toBe("1 genre renamed");
  expect(genreNamesText(asking.genreNames)).toBe("sci-fi → Science Fiction");
  expect(detailsText(asking, NO_CHOICES)).toBe("names turned around, Print if the file doesn’t say");
  const answered = { ...NO_CHOICES, keepsNames: true, keepsGenreNames: true, format: "eBook" as const };
  expect(shelvesText(asking, answered)).toBe("");
  expect(detailsText(asking, answered)).toBe("names as they are, eBook if the file doesn’t say");
  const items = { ...PREVIEW, books: [], tbr: Array(20), importedTbr: 24 };
  expect(shownText(items)).toBe("the first 4 of 24 TBR items");
  expect(shownText({ ...items, tbr: Array(2), importedTbr: 2 })).toBe("2 TBR items");
});

it("a preview counts known rows apart from rows on shelves that are left out, and questions days in the future", () => {
  const plain = { ...PREVIEW, errors: 0, estimatedWords: 0 };
  const shelves = [{ name: "abandoned", rows: 6, guess: "skip" }];
  expect(previewNotes({ ...plain, skipped: 297, leftOut: 14, shelves })).toBe(
    "283 are here already and skipped. 14 are on shelves that you leave out.",
  );
  expect(previewNotes({ ...plain, skipped: 1, leftOut: 1 })).toBe("1 is left out.");
  expect(previewNotes({ ...plain, skipped: 0, futureBooks: 2 })).toBe(
    "2 books have a date in the future: please check the dates.",
  );
  expect(previewNotes({ ...plain, skipped: 0, hiddenBooks: 1 })).toBe(
    "1 book was finished before the history that your plan shows: it is imported and not shown.",
  );
});

it("the limit is shown with the room that is left", () => {
  expect(capNotice("Reader", 38, 1_224)).toBe(
    "The Reader plan has room for 38 more books. The first 38 in this file are imported, 1,224 books do not fit.",
  );
  expect(capNotice("Reader", 1, 1)).toBe(
    "The Reader plan has room for 1 more book. The first one in this file is imported, 1 book does not fit.",
  );
  expect(capNotice("Reader", 0, 5)).toContain("has no room for more books");
});

it("a finished import says what else it did, and nothing that it did not", () => {
  const names = (all: { name: string; value: number }[]) => all.map(({ name, value }) => `${name} ${value}`);
  expect(names(tally("books", { ...RESULT, leftOut: 2 }, 9))).toEqual([
    "To your TBR 24",
    "Here already, skipped 10",
    "Left out 2",
    "Word counts estimated from pages 190",
    "Without a length 9",
  ]);
  const items = { ...RESULT, imported: 24, importedTbr: 0, skipped: 0, estimatedWords: 0 };
  expect(tally("tbr", items)).toEqual([]);
  expect(tally("books", { ...items, imported: 0, importedTbr: 24 })).toEqual([]);
});

it("past imports say what they added and whether it is still there", () => {
  const past = {
    kind: "books" as const,
    id: 7,
    fileName: "goodreads.csv",
    format: "goodreads",
    createdAt: "2025-11-18T10:00:00Z",
    imported: 175,
    importedTbr: 24,
    errors: 3,
    skipped: 12,
    leftOut: 0,
    undone: null,
  };
  expect(pastSummary(past)).toBe("175 books, 24 to your TBR, 3 rows with errors");
  expect(pastSummary({ ...past, kind: "tbr", imported: 24, importedTbr: 0 })).toBe("24 TBR items, 3 rows with errors");
});

it("an undone import says what was removed and what stays", () => {
  const kept = [{ id: 1, title: "Circe" }];
  expect(undoneText({ removed: 171, removedTbr: 24, kept: [], keptTbr: [] })).toBe(
    "171 books and 24 TBR items removed.",
  );
  expect(undoneText({ removed: 1, removedTbr: 0, kept, keptTbr: [] })).toBe(
    "1 book removed. 1 book stays, because you have changed it since.",
  );
  expect(undoneText({ removed: 0, removedTbr: 3, kept: [...kept, ...kept], keptTbr: kept })).toBe(
    "3 TBR items removed. 2 books and 1 TBR item stay, because you have changed them since.",
  );
});

it("books that have no room in the plan are not errors", () => {
  const beyond = { ...RESULT, imported: 150, errors: 1_227, beyondLimit: 1_224 };
  expect(successText("books", beyond)).toBe(
    "Successfully imported 150 books, 3 rows had errors, 1,224 books do not fit the Reader plan",
  );
  expect(tally("books", beyond)).toContainEqual({ name: "Beyond the plan", value: 1_224 });
  expect(previewNotes({ ...PREVIEW, errors: 1_224, beyondLimit: 1_224, skipped: 0, estimatedWords: 0 })).toBe("");
  const past = { ...beyond, kind: "books" as const, id: 7, fileName: "", createdAt: "", undone: null, errors: 1 };
  expect(pastSummary({ ...past, beyondLimit: 1 })).toBe(
    "150 books, 24 to your TBR, 1 book does not fit the Reader plan",
  );
});

it("shelves that are not genres are offered by name", () => {
  expect(allShelvesOffer(["2023-challenge", "owned"])).toBe("Also make genres of 2023-challenge, owned");
  expect(allShelvesOffer(["a", "b", "c", "d", "e", "f"])).toBe("Also make genres of a, b, c, d, e and 1 more");
});

it("rows are written as people read them", () => {
  expect(rowsText({ from: 41, to: 41, rows: 1, message: "" })).toBe("Row 41");
  expect(rowsText({ from: 52, to: 214, rows: 137, message: "" })).toBe("Rows 52 to 214, 137 of them");
});

it("dates that are probably not days are offered with their number, in the plural where there are several", () => {
  const texts = (preview: Partial<ImportPreview>) =>
    offers({ ...PREVIEW, ...preview }, NO_CHOICES).map(({ text }) => text);
  expect(texts({})).toEqual([]);
  expect(texts({ januaryFirsts: 23, january1970: 1 })).toEqual([
    "23 books were finished on a January 1. Make them year-only?",
    "1 book was finished in January 1970, as Jelu writes for unknown dates. Make it undated?",
  ]);
});

it("page counts of audiobooks that look like hours are offered as hours", () => {
  const texts = (audioPages: number) => offers({ ...PREVIEW, audioPages }, NO_CHOICES).map(({ text }) => text);
  expect(texts(3)).toEqual([
    "3 audiobooks have page counts that look like hours. Take them as hours, at 155 words a minute? Otherwise their words stay open.",
  ]);
  expect(texts(1)).toEqual([
    "1 audiobook has a page count that looks like hours. Take it as hours, at 155 words a minute? Otherwise its words stay open.",
  ]);
});

it("rows of one read count once, and are not called known", () => {
  const same = { ...PREVIEW, skipped: 3, errors: 0, estimatedWords: 0, sameRead: 2 };
  expect(offers(same, NO_CHOICES).map(({ choice }) => choice)).toEqual(["keepsSameReads"]);
  expect(previewNotes(same)).toBe("1 is here already and skipped.");
  expect(previewNotes({ ...same, skipped: 1 }, true)).toBe("1 is here already and skipped.");
});

it("a date is shown as the day that it is in each order", () => {
  expect(dateOrders("03/04/2020", "mdy")).toEqual([
    { value: "mdy", label: "Month first: Mar 4, 2020" },
    { value: "dmy", label: "Day first: Apr 3, 2020" },
  ]);
  expect(dateOrders("1/2/03", "mdy").map(({ label }) => label)).toEqual([
    "Month first: Jan 2, 2003",
    "Day first: Feb 1, 2003",
    "Year first: Feb 3, 2001",
  ]);
});

it("items that were read leave the TBR, and come back when the import is undone", () => {
  expect(previewNotes({ ...PREVIEW, skipped: 0, errors: 0, estimatedWords: 0, takenOffTbr: 6 })).toBe(
    "6 TBR items are finished in this file and leave your TBR.",
  );
  expect(tally("books", { ...RESULT, takenOffTbr: 1 })).toContainEqual({ name: "Off your TBR", value: 1 });
  expect(undoneText({ removed: 3, removedTbr: 0, restoredTbr: 1, kept: [], keptTbr: [] })).toBe(
    "3 books removed. 1 TBR item is on your TBR again.",
  );
});

it("a complete export says what it has besides books and list, and offers its preferences", () => {
  const restored = { covers: 3, coversLeftOut: 0, tagShelves: 1, views: 0, goals: 0, preferences: 0 };
  expect(previewNotes({ ...PREVIEW, restored })).toContain("3 covers, 1 shelf and 0 goals");
  expect(offers({ ...PREVIEW, restored }, NO_CHOICES).map(({ choice }) => choice)).toContain("preferences");
  expect(offers(PREVIEW, NO_CHOICES).map(({ choice }) => choice)).not.toContain("preferences");
  expect(tally("books", { ...RESULT, restored }).slice(-2)).toEqual([
    { name: "Covers", value: 3 },
    { name: "Shelves", value: 1 },
  ]);
});
