import { expect, it } from "vitest";
import type { TbrItem } from "../../kit/api/types";
import { EMPTY_ITEM, formOfItem, inOrder, refusalsOfItem, toItemChange, toNewItem, waiting, wordsOf } from "./tbrItem";

const item = (id: number, changes: Partial<TbrItem> = {}): TbrItem => ({
  id,
  title: `Book ${id}`,
  author: null,
  wordCount: null,
  notes: null,
  pages: null,
  isbn: null,
  position: id,
  format: null,
  tags: [],
  wordCountSource: null,
  createdAt: "2025-03-09T10:00:00Z",
  ...changes,
});

it("only the title is required", () => {
  expect(refusalsOfItem(EMPTY_ITEM)).toEqual({ title: "The title is required." });
  expect(refusalsOfItem({ ...EMPTY_ITEM, title: "Beowulf" })).toEqual({});
});

it("blank author, words and notes are null", () => {
  expect(toNewItem({ ...EMPTY_ITEM, title: " Beowulf ", author: " ", notes: "\n", wordCount: "some" })).toEqual({
    title: "Beowulf",
    author: null,
    wordCount: null,
    notes: null,
  });
});

it("the untouched form of an item sends the stored values", () => {
  const full = item(1, { author: "Homer", wordCount: 0, notes: "Aloud.\n", pages: 400, isbn: "9780393356250" });
  for (const stored of [full, item(2)]) expect(stored).toMatchObject(toItemChange(formOfItem(stored)));
});

it("the total words leave out books without a word count, and their number is given", () => {
  expect(waiting([item(1, { wordCount: 500 }), item(2), item(3, { wordCount: 0 })])).toEqual({
    words: 500,
    uncounted: 1,
  });
});

it("pages make words where none were typed", () => {
  expect(wordsOf(item(1, { pages: 400 }))).toBe(110_000);
  expect(wordsOf(item(1, { pages: 400, wordCount: 0 }))).toBe(0);
  expect(wordsOf(item(1))).toBeNull();
  expect(waiting([item(1, { pages: 400 }), item(2)])).toEqual({ words: 110_000, uncounted: 1 });
});

it("an item added elsewhere meanwhile stays at the end of a new order", () => {
  expect(inOrder([item(1), item(2), item(3)], [2, 1]).map(({ id }) => id)).toEqual([2, 1, 3]);
});
