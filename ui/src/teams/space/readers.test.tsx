import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ShelfBook } from "../../kit/api/types";
import { byReader, readerBlues } from "./readers";

const member = (userId: number, words: number, displayName = `Reader ${userId}`) => ({
  userId,
  displayName,
  words,
  books: words > 0 ? 1 : 0,
});
const book = (userId: number) => ({ userId }) as ShelfBook;

it("a reader's blue depends on the sharing members, not on what is read or filtered", () => {
  const few = readerBlues([member(8, 10), member(3, 90)]);
  const more = readerBlues([member(8, 100), member(3, 9)]);
  expect([few(3), few(8)]).toEqual([1, 2]);
  expect([more(3), more(8)]).toEqual([1, 2]);
});

it("from the sixth on readers share a blue, which the legend counts together", () => {
  const colours = byReader([7, 6, 5, 4, 3, 2, 1].map((id) => member(id, id * 1_000)));
  expect([1, 5, 6, 7].map((id) => colours.blueOf(book(id)))).toEqual([1, 5, 6, 6]);
  expect(colours.nameOf(book(7))).toBe("Reader 7");
  render(colours.legendOf([]).map(({ label, blue }) => <p key={blue}>{label}</p>));
  expect(screen.getByText("2 others").textContent).toBe("2 others 13.0K");
});

it("the legend names the readers with a matching book, two of one name included", () => {
  const colours = byReader([member(1, 500, "Ann"), member(2, 0), member(3, 700, "Ann")]);
  expect(colours.legendOf([]).map(({ blue }) => blue)).toEqual([1, 3]);
});
