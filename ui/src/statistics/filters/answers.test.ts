import { expect, it } from "vitest";
import type { BookTitle, TbrItem } from "../../kit/api/types";
import { type Answer, answersTo as answer, authorsOf, searchable } from "./answers";
import { isAnswered } from "./filter";

const book = (id: number, title: string, author: string): BookTitle => ({
  id,
  title,
  author,
  status: "completed",
  dateCompleted: "2024-05-03",
  work: 1,
});
const item = (id: number, title: string, author: string | null): TbrItem => ({
  id,
  title,
  author,
  wordCount: null,
  notes: null,
  pages: null,
  isbn: null,
  position: id,
  format: null,
  tags: [],
  wordCountSource: null,
  createdAt: "2025-03-09T10:00:00Z",
});
const LIBRARY = [
  book(1, "A Wizard of Earthsea", "Ursula K. Le Guin"),
  book(2, "Earth Abides", "George R. Stewart"),
  book(3, "The Left Hand of Darkness", "Ursula K. Le Guin"),
  book(4, "Unearthed", "Somebody"),
  book(5, "Les Misérables", "Victor Hugo"),
];
const LIST = [
  item(1, "Orlando", "Virginia Woolf"),
  item(2, "The Dispossessed", "Ursula K. Le Guin"),
  item(3, "Earth", null),
];
const answersTo = (search: string, titles: BookTitle[], list: TbrItem[]): Answer[] =>
  answer(search, searchable(titles), searchable(list));
const found = (search: string) =>
  answersTo(search, LIBRARY, LIST).map((answer) => ("book" in answer ? answer.book.title : answer.item.title));

it("titles that begin with the search come first, then words, then parts, then the list", () => {
  expect(found("earth")).toEqual(["Earth Abides", "A Wizard of Earthsea", "Unearthed", "Earth"]);
});

it("an author is found, in the library and on the list, with the place on the list", () => {
  expect(found("le guin")).toEqual(["A Wizard of Earthsea", "The Left Hand of Darkness", "The Dispossessed"]);
  expect(answersTo("dispossessed", LIBRARY, LIST)).toEqual([{ item: LIST[1], place: 2 }]);
});

it("case and accents make no difference", () => {
  expect(found(" MISERABLES ")).toEqual(["Les Misérables"]);
});

it("five books and three items are the most", () => {
  const many = Array.from({ length: 20 }, (_, at) => book(at, `Dune ${at}`, "Frank Herbert"));
  const list = Array.from({ length: 20 }, (_, at) => item(at, `Dune ${at}`, null));
  expect(answersTo("dune", many, list)).toHaveLength(8);
});

it("a single character is not answered", () => {
  expect(["e", " e ", ""].some(isAnswered)).toBe(false);
  expect(isAnswered("em")).toBe(true);
});

it("authors are named by any part of their name", () => {
  expect(authorsOf("guin", [{ name: "Ursula K. Le Guin" }, { name: "Jane Austen" }])).toHaveLength(1);
});
