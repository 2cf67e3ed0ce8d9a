import { expect, it } from "vitest";
import type { FoundBook } from "../../kit/api/types";
import { type BookForm, emptyForm } from "../books/model";
import { about, fillingOf, formerOf, missing, offersOf, withdrawn } from "./fill";
import { whoIsAsked } from "./sources";
import { KINDRED } from "./test-book";

/** What a found book fills in. */
const filled = (book: FoundBook, form: BookForm) => fillingOf(missing(offersOf(book, form)));

it("fills in every empty field, and names them", () => {
  const filling = filled(KINDRED, emptyForm("Print"));
  expect(filling).toEqual({
    title: "Kindred",
    authors: [],
    author: "Octavia E. Butler",
    pages: "264",
    wordCount: "72600",
    wordCountSource: "pages",
    isbn: "9780807083697",
    genres: "Science Fiction",
    publisher: "Beacon Press",
    published: "2003",
    originalYear: "1979",
    language: "en",
  });
  expect(offersOf(KINDRED, emptyForm("Print")).map(({ name }) => name)).toEqual([
    "title",
    "author",
    "words",
    "pages",
    "ISBN",
    "genres",
    "publisher",
    "published",
    "first published",
    "language",
  ]);
  expect(filled({ ...KINDRED, authors: ["A", "B"] }, emptyForm("Print"))).toMatchObject({ authors: ["A", "B"] });
});

it("keeps what was typed, and works words out from the typed pages", () => {
  const typed = { ...emptyForm("Print"), title: "Kindred (2003)", pages: "100", genres: "Classics", publisher: "P" };
  Object.assign(typed, { published: "2004", originalYear: "1980", language: "de" });
  expect(filled(KINDRED, typed)).toEqual({
    authors: [],
    author: "Octavia E. Butler",
    wordCount: "27500",
    wordCountSource: "pages",
    isbn: "9780807083697",
  });
  expect(filled(KINDRED, { ...typed, wordCount: "97300" })).not.toHaveProperty("wordCount");
});

it("gives back what stood in a field, unless it was changed since", () => {
  const form = { ...emptyForm("Print"), pages: "100", language: "de", series: "Patternist", seriesNumber: "4" };
  const book = { ...KINDRED, series: { name: "Patternist", number: "1" } };
  const taken = offersOf(book, form).filter(({ here }) => here !== "");
  expect(taken.map(({ name, here, there }) => [name, here, there])).toEqual([
    ["pages", "100", "264"],
    ["language", "German", "English"],
    ["series", "Patternist #4", "Patternist #1"],
  ]);
  const filling = fillingOf(taken);
  const former = formerOf(filling, form);
  expect(withdrawn(filling, former, { ...form, ...filling, pages: "265" })).toEqual({
    language: "de",
    series: "Patternist",
    seriesNumber: "4",
  });
});

it("says what is known of a book and who is asked", () => {
  expect(about(KINDRED)).toBe("Octavia E. Butler, Beacon Press 2003, 264 pages, English");
  expect(about({ ...KINDRED, publisher: null, published: null, pages: null, language: "x" })).toBe(
    "Octavia E. Butler, 1979, x",
  );
  expect(whoIsAsked(["openlibrary.org"])).toBe(
    "Asks openlibrary.org through this server. It learns the title, not who you are.",
  );
  expect(whoIsAsked(["openlibrary.org", "dnb.de"])).toBe(
    "Asks openlibrary.org and dnb.de through this server. They learn the title, not who you are.",
  );
});
