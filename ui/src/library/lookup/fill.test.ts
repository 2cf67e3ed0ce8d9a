import { expect, it } from "vitest";
import { emptyForm } from "../books/model";
import { about, filledFields, fillingOf } from "./fill";
import { whoIsAsked } from "./sources";
import { KINDRED } from "./test-book";

it("fills in every empty field, and names them", () => {
  const filling = fillingOf(KINDRED, emptyForm("Print"));
  expect(filling).toEqual({
    title: "Kindred",
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
  expect(filledFields(filling).slice(0, 7)).toEqual([
    "title",
    "author",
    "words",
    "pages",
    "ISBN",
    "genres",
    "publisher",
  ]);
  expect(fillingOf({ ...KINDRED, authors: ["A", "B"] }, emptyForm("Print"))).toMatchObject({ authors: ["A", "B"] });
});

it("keeps what was typed, and works words out from the typed pages", () => {
  const typed = { ...emptyForm("Print"), title: "Kindred (2003)", pages: "100", genres: "Classics", publisher: "P" };
  Object.assign(typed, { published: "2004", originalYear: "1980", language: "de" });
  expect(fillingOf(KINDRED, typed)).toEqual({
    author: "Octavia E. Butler",
    wordCount: "27500",
    wordCountSource: "pages",
    isbn: "9780807083697",
  });
  expect(fillingOf(KINDRED, { ...typed, wordCount: "97300" })).not.toHaveProperty("wordCount");
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
