import { expect, it } from "vitest";
import type { Book } from "../../kit/api/types";
import { booksCsv, csvName } from "./csv";
import { aRead } from "./test-read";

function book(change: Partial<Book> = {}): Book {
  return aRead({
    id: 1,
    title: "Emma",
    author: "Jane Austen",
    wordCount: 155_887,
    format: "eBook",
    reread: true,
    genres: ["Classics", "Romance"],
    authors: ["Jane Austen"],
    createdAt: "2024-06-16T00:00:00Z",
    updatedAt: "2024-06-16T00:00:00Z",
    ...change,
  });
}

const lines = (...books: Book[]) => booksCsv(books).split("\n");

it("has the specification's columns and one line for each book", () => {
  expect(lines(book())).toEqual([
    "Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres",
    'Emma,Jane Austen,155887,2024-06-16,8,eBook,Yes,"Classics, Romance"',
    "",
  ]);
});

it("leaves cells empty where a book has no date or rating", () => {
  const bare = book({ status: "in-progress", dateCompleted: null, rating: null, reread: false, genres: [] });
  expect(lines(bare)[1]).toBe("Emma,Jane Austen,155887,,,eBook,No,");
});

it("writes a rough date in the form that an import reads", () => {
  const spring = book({ completedFrom: "2020-03-01", dateCompleted: "2020-05-31" });
  expect(lines(spring)[1]).toContain(",2020-03/2020-05,8");
  expect(lines(book({ completedFrom: "1900-01-01", dateCompleted: "2014-12-31" }))[1]).toContain(",../2014,8");
});

it("distinguishes a rating of 0 from no rating", () => {
  expect(lines(book({ rating: 0 }))[1]).toContain(",0,eBook");
});

it("quotes cells that would break a line", () => {
  expect(lines(book({ title: 'A "B", C', genres: [] }))[1]).toBe(
    '"A ""B"", C",Jane Austen,155887,2024-06-16,8,eBook,Yes,',
  );
});

it.each([
  ["=1+1", "'=1+1"],
  ["@home", "'@home"],
  ["-1", "'-1"],
  ["'=1", "''=1"],
  ["＝1", "'＝1"],
  ["'Tis", "'Tis"],
])("lets no spreadsheet run %s", (title, cell) => {
  expect(lines(book({ title }))[1]?.split(",")[0]).toBe(cell);
});

it("is named after the day", () => {
  expect(csvName("2025-11-18")).toBe("reading-data-2025-11-18.csv");
});
