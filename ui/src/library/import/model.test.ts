import { expect, it } from "vitest";
import type { ImportProgress } from "../../kit/api/types";
import {
  type Choices,
  type Column,
  columnsChosen,
  fieldsToSend,
  likelyKind,
  missingField,
  NO_CHOICES,
  partDone,
  refusal,
  refusedRows,
  roomLeft,
  withColumn,
} from "./model";
import { progressText } from "./texts";

const column = (name: string, field: string | null): Column => ({ name, sample: "", field });
const GELESEN = [column("Buch", "title"), column("Von", null), column("Fertig", "dateCompleted")];

it.each(["books.csv", "BOOKS.CSV", "librarything.tsv", "export.txt"])("%s is taken", (name) => {
  expect(refusal(name, 1)).toBeNull();
});

it("other files, empty ones and those over 20 MB are refused before they are sent", () => {
  expect(refusal("books.xlsx", 1)).toContain("Only .csv");
  expect(refusal("csv", 1)).toContain("Only .csv");
  expect(refusal("books.csv", 0)).toContain("empty");
  expect(refusal("books.csv", 20 * 1024 * 1024)).toBeNull();
  expect(refusal("books.csv", 20 * 1024 * 1024 + 1)).toContain("larger than 20 MB");
  expect(refusal("shelfwise.zip", 20 * 1024 * 1024 + 1)).toContain("Unpack it and import books.csv and tbr.csv");
});

it("the server maps the columns of a known format, except for the reader's changes", () => {
  const first = { format: "goodreads", columns: GELESEN };
  expect(fieldsToSend(first, NO_CHOICES)).toEqual({});
  const skipping: Choices = { ...NO_CHOICES, shelves: new Map([["abandoned", "skip"]]) };
  const choices = withColumn(skipping, column("Von", null), "author");
  expect(fieldsToSend(first, choices)).toEqual({
    shelfMap: '{"abandoned":"skip"}',
    columnMap: '{"Von":"author"}',
  });
  const answers: Choices = {
    ...NO_CHOICES,
    status: "completed",
    format: "eBook",
    keepsNames: true,
    keepsGenreNames: true,
  };
  expect(fieldsToSend(first, answers)).toEqual({
    status: "completed",
    format: "eBook",
    names: "keep",
    genreNames: "keep",
  });
});

it("going back to the server's own reading removes the choice", () => {
  const changed = withColumn(NO_CHOICES, column("Buch", "title"), null);
  expect(changed.columns).toEqual(new Map([["Buch", null]]));
  expect(withColumn(changed, column("Buch", "title"), "title")).toEqual(NO_CHOICES);
});

it("of an unknown format every column is named, guessed or chosen, used or not", () => {
  const choices = withColumn(NO_CHOICES, column("Fertig", "dateCompleted"), null);
  expect(fieldsToSend({ format: "unknown", columns: GELESEN }, choices)).toEqual({
    columnMap: '{"Buch":"title","Von":null,"Fertig":null}',
  });
});

it.each(["constructor", "__proto__", "toString"])("a column or a shelf may be called %s", (name) => {
  const columns = [column(name, "title")];
  expect(columnsChosen(columns, NO_CHOICES)).toEqual(columns);
  const chosen: Choices = {
    ...withColumn(NO_CHOICES, column(name, "title"), null),
    shelves: new Map([[name, "skip"]]),
  };
  expect(columnsChosen(columns, chosen)).toEqual([column(name, null)]);
  const sent = fieldsToSend({ format: "goodreads", columns }, chosen);
  expect(sent).toEqual({ shelfMap: `{"${name}":"skip"}`, columnMap: `{"${name}":null}` });
  expect(withColumn(chosen, column(name, "title"), "title").columns.size).toBe(0);
});

it("books need a title and an author, items of the TBR list a title", () => {
  expect(missingField("unknown", GELESEN, "books")).toBe("author");
  expect(missingField("unknown", GELESEN, "tbr")).toBeNull();
  expect(missingField("unknown", [column("Von", "author")], "tbr")).toBe("title");
  const chosen = columnsChosen(GELESEN, withColumn(NO_CHOICES, column("Von", null), "author"));
  expect(missingField("unknown", chosen, "books")).toBeNull();
  expect(missingField("template", [column("Title", "title")], "books")).toBeNull();
});

it("a file that says nothing of any reading is most likely a TBR list", () => {
  expect(likelyKind([column("Title", "title"), column("Author", "author"), column("Notes", "notes")])).toBe("tbr");
  expect(likelyKind(GELESEN)).toBe("books");
});

it("rows with the same reason are grouped when they are many", () => {
  const beyond = [52, 53, 90, 214].map((row) => ({ row, message: "Beyond the 150 books of the Reader plan." }));
  const missing = [97, 41].map((row) => ({ row, field: "author", message: "Author is missing" }));
  expect(refusedRows([...missing, ...beyond])).toEqual([
    { from: 41, to: 41, rows: 1, message: "Author is missing" },
    { from: 52, to: 214, rows: 4, message: "Beyond the 150 books of the Reader plan." },
    { from: 97, to: 97, rows: 1, message: "Author is missing" },
  ]);
});

it("the plan's room is of interest where the file holds more", () => {
  const limits = { bookLimit: 150, bookCount: 112 };
  expect(roomLeft({ imported: 38, errors: 137 }, limits)).toBe(38);
  expect(roomLeft({ imported: 37, errors: 3 }, limits)).toBeNull();
  expect(roomLeft({ imported: 38, errors: 0 }, limits)).toBeNull();
  expect(roomLeft({ imported: 0, errors: 9 }, { bookLimit: 150, bookCount: 180 })).toBe(0);
  expect(roomLeft({ imported: 900, errors: 9 }, { bookLimit: null, bookCount: 0 })).toBeNull();
});

it("an import fills one bar, from the first byte that is sent to the last book that is stored", () => {
  const at = (phase: ImportProgress["phase"], done: number, of: number | null) => partDone(1, { phase, done, of });
  expect(partDone(0, undefined)).toBe(0);
  const parts = [
    partDone(0.5, undefined),
    partDone(1, undefined),
    at("waiting", 0, null),
    at("reading", 50, 100),
    at("comparing", 0, null),
    at("storing", 50, 100),
    at("storing", 100, 100),
  ];
  expect(parts).toEqual([...parts].sort((a, b) => a - b));
  expect(parts.at(-1)).toBe(1);
});

it("rows and books that are done are counted once their number is known", () => {
  expect(progressText(undefined)).toBe("");
  expect(progressText({ phase: "reading", done: 0, of: null })).toBe("");
  expect(progressText({ phase: "reading", done: 12_400, of: 24_100 })).toBe("12,400 of 24,100 rows read. ");
  expect(progressText({ phase: "storing", done: 4, of: 8 })).toBe("4 of 8 books stored. ");
});
