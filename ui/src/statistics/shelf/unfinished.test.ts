import { expect, it } from "vitest";
import type { Book, ShelfBook } from "../../kit/api/types";
import { aRead } from "../../library/books/test-read";
import { layoutShelf, neighbour } from "./layout";
import { unfinishedOf, unfinishedQuery } from "./unfinished";

const OPEN = { status: "in-progress", dateCompleted: null, rating: null } as const;
const GIVEN_UP = { ...OPEN, status: "did-not-finish" } as const;

const progress = (at: number) => ({ at, page: null, day: "2026-11-03" });

/** Finished books of 100,000 words each. */
const finished = (count: number): ShelfBook[] =>
  Array.from({ length: count }, (_, at) => ({ ...aRead({ id: at + 1, wordCount: 100_000 }), date: "2024-01-01" }));

const unfinished = (...books: Partial<Book>[]) =>
  unfinishedOf(books.map((book, at) => aRead({ id: 90 + at, wordCount: 100_000, ...OPEN, ...book })));

it("open books come first, then paused ones, then those that were given up, each with its state", () => {
  const books = unfinished(
    { ...GIVEN_UP, stoppedDate: "2025-03-20", progress: progress(3_100) },
    { pausedSince: "2025-09-02", progress: progress(3_899) },
    {},
    { ...GIVEN_UP },
    { progress: progress(10_000) },
  );
  expect(books.map(({ book, share, state }) => [book.id, share, state])).toEqual([
    [94, 1, "in progress, read to 100%"],
    [92, 0, "in progress"],
    [91, 0.3899, "paused since Sep 2, 2025, read to 38%"],
    [93, 0, "not finished"],
    [90, 0.31, "not finished, stopped on Mar 20, 2025, read to 31%"],
  ]);
});

it("a filter by status asks for what it leaves of the unfinished books", () => {
  const all = ["in-progress", "did-not-finish"];
  expect(unfinishedQuery({ genres: ["Classics"] })).toEqual({ genres: ["Classics"], status: all });
  expect(unfinishedQuery({ status: ["completed", "paused"] })).toEqual({ status: ["paused"] });
  expect(unfinishedQuery({ status: ["completed"] })).toBeNull();
});

it("they stand behind a bookend after the last finished book, at its scale and off the ruler", () => {
  const alone = layoutShelf(finished(3), 1216, { slot: false }).shelves[0];
  const books = unfinished({}, { wordCount: 200_000 });
  const { shelves, tallest } = layoutShelf(finished(3), 1216, { slot: false, unfinished: books });
  const [shelf] = shelves;
  const last = shelf?.spines[2];
  const end = (last?.x ?? 0) + (last?.width ?? 0);
  expect(shelves).toHaveLength(1);
  expect(shelf?.spines).toEqual(alone?.spines);
  expect(shelf?.unfinishedBookend).toBe(end + 2);
  expect(shelf?.unfinished.map(({ x, width }) => [x, width])).toEqual([
    [end + 32, 92],
    [end + 32 + 94, 46],
  ]);
  expect(shelf?.unfinished[0]?.height).toBeCloseTo(tallest * 0.72);
  expect(Math.max(...(shelf?.ticks ?? []).map(({ x }) => x))).toBeLessThanOrEqual(end + 1);
  expect(Math.max(...(alone?.ticks ?? []).map(({ x }) => x))).toBeGreaterThan(end + 100);
});

it("what the last shelf has no room for gets boards of its own", () => {
  const alone = layoutShelf(finished(6), 343, { slot: false });
  const books = unfinished(...Array.from({ length: 12 }, () => ({})));
  const layout = layoutShelf(finished(6), 343, { slot: false, unfinished: books });
  const further = layout.shelves.length - alone.shelves.length;
  expect(further).toBeGreaterThan(0);
  expect(layout.shelves.flatMap((shelf) => shelf.unfinished)).toHaveLength(12);
  for (const { x, width } of layout.shelves.flatMap((shelf) => shelf.unfinished)) {
    expect(x + width).toBeLessThanOrEqual(layout.board);
  }
  expect(layout.height).toBeCloseTo(alone.height + further * layout.pitch);
  expect(neighbour(layout, 6, "down")).toBeNull();
});
