import { describe, expect, it } from "vitest";
import { authorsOf, type FactsForm, factsInWords, factsRefusals, NO_FACTS, NO_LANGUAGE, tagsOf } from "./facts";
import { languageChoices } from "./languages";
import { type BookForm, changes, formOf, newForm, sharedChanges, toNew } from "./model";
import { aRead } from "./test-read";

const NORTH = { hemisphere: "north", today: "2025-06-01" } as const;
const OMENS = aRead({
  title: "Good Omens",
  author: "Terry Pratchett, Neil Gaiman",
  authors: ["Terry Pratchett", "Neil Gaiman"],
});
const form = (fields: Partial<BookForm> = {}): BookForm => ({ ...formOf(aRead()), ...fields });
const refusals = (fields: Partial<FactsForm> & { author?: string }) =>
  factsRefusals({ ...NO_FACTS, author: "Ann", ...fields });

describe("authors", () => {
  it("one stands in the field, several stand before it", () => {
    expect(formOf(aRead())).toMatchObject({ author: "Frank Herbert", authors: [] });
    expect(formOf(OMENS)).toMatchObject({ author: "", authors: ["Terry Pratchett", "Neil Gaiman"] });
  });

  it("one is sent as a text and is never parted at a comma, several are sent as a list", () => {
    const one = form({ author: "Neil Gaiman, Terry Pratchett" });
    expect(toNew(one, NORTH)).toMatchObject({ author: "Neil Gaiman, Terry Pratchett" });
    expect(toNew(one, NORTH)).not.toHaveProperty("authors");
    const two = form({ authors: ["Terry Pratchett"], author: " Neil Gaiman " });
    expect(toNew(two, NORTH)).toMatchObject({ authors: ["Terry Pratchett", "Neil Gaiman"] });
    expect(toNew(two, NORTH)).not.toHaveProperty("author");
  });

  it("one of several can be removed, and their order changed", () => {
    const stored = formOf(OMENS);
    expect(changes(stored, { ...stored, authors: ["Neil Gaiman"] }, NORTH, OMENS)).toEqual({
      authors: ["Neil Gaiman"],
    });
    const turned = { ...stored, authors: ["Neil Gaiman", "Terry Pratchett"] };
    expect(changes(stored, turned, NORTH, OMENS)).toEqual({ authors: turned.authors });
    expect(sharedChanges(stored, turned)).toEqual(["author"]);
    expect(changes(stored, stored, NORTH, OMENS)).toEqual({});
  });

  it("blanks and repeated names are left out, and someone has to remain", () => {
    expect(authorsOf({ authors: ["Ann", " "], author: "Ann" })).toEqual(["Ann"]);
    expect(refusals({ author: " " }).author).toBe("The author is required.");
    expect(refusals({ authors: ["Ann"], author: "" }).author).toBe(false);
  });
});

describe("tags", () => {
  it("are all those that were added and those that are still typed, each once whatever its case", () => {
    expect(tagsOf({ tags: ["owned"], nextTag: "Owned, lent,, " })).toEqual(["owned", "lent"]);
  });
});

describe("the edition", () => {
  const full: Partial<BookForm> = {
    series: " Dune ",
    seriesNumber: "1",
    tags: ["desert"],
    publisher: "Penguin Classics",
    published: "2016-05",
    originalYear: "1965",
    language: "en",
    contributors: [
      { name: " Scott Brick ", role: "narrator" },
      { name: " ", role: "editor" },
    ],
  };

  it("is sent as typed, trimmed, and a new book leaves out what is not known", () => {
    expect(toNew(form(full), NORTH)).toMatchObject({
      series: { name: "Dune", number: "1" },
      tags: ["desert"],
      publisher: "Penguin Classics",
      published: "2016-05",
      originalYear: 1965,
      language: "en",
      contributors: [{ name: "Scott Brick", role: "narrator" }],
    });
    const nothing = Object.keys(toNew({ ...newForm("Print", "2025-06-01"), title: "Dune", author: "Ann" }, NORTH));
    for (const field of ["series", "tags", "publisher", "published", "originalYear", "language", "contributors"]) {
      expect(nothing).not.toContain(field);
    }
  });

  it("a cleared field clears the book's", () => {
    const stored = aRead({ series: { name: "Dune", number: null }, tags: ["desert"], language: "en" });
    const cleared = { ...formOf(stored), series: "", tags: [], language: NO_LANGUAGE };
    expect(changes(formOf(stored), cleared, NORTH, stored)).toEqual({ series: null, tags: [], language: null });
  });

  it.each([
    ["", false],
    ["1965", false],
    ["-800", false],
    ["-3001", true],
    ["2101", true],
    ["19.5", true],
    ["long ago", true],
  ])("first published '%s' is refused: %s", (originalYear, isRefused) => {
    expect(Boolean(refusals({ originalYear }).originalYear)).toBe(isRefused);
  });

  it("a number in a series without its name is sent, so that the server says what is missing", () => {
    expect(toNew(form({ series: " ", seriesNumber: "2" }), NORTH).series).toEqual({ name: "", number: "2" });
  });

  it("is said in a few words", () => {
    expect(factsInWords(form({ ...full, tags: ["a", "b", "c"] }))).toBe("Dune #1, 3 tags, Penguin Classics 2016");
    expect(factsInWords(form({ genres: "Classics", isbn: "9780143111580", language: "en" }))).toBe(
      "3 fields filled in",
    );
    expect(factsInWords(form({ genres: "", isbn: "" }))).toBe("");
  });

  it("languages stand by name, with one that only this book has", () => {
    expect(languageChoices(NO_LANGUAGE)[0]).toEqual({ value: NO_LANGUAGE, label: "Unknown" });
    expect(languageChoices("pt-BR").map(({ label }) => label)).toContain("Brazilian Portuguese");
    expect(languageChoices("sco").filter(({ label }) => label === "Scots")).toEqual([{ value: "sco", label: "Scots" }]);
  });
});
