import { describe, expect, it } from "vitest";
import type { ShelfBook } from "../../kit/api/types";
import { layoutShelf, neighbour, relativeHeight, type ShelfLayout, shelvesAimedAt, tickLabel } from "./layout";
import { periodOf } from "./ShelfDrawing";

function book(id: number, change: Partial<ShelfBook> = {}): ShelfBook {
  const day = `2024-${String(1 + (id % 12)).padStart(2, "0")}-01`;
  return {
    id,
    title: `Book ${id}`,
    author: "Ann Leckie",
    wordCount: 90_000,
    rating: 8,
    format: "Print",
    genres: ["Fantasy"],
    startDate: null,
    date: day,
    completedFrom: null,
    reread: false,
    ...change,
  };
}

const books = (count: number, change: Partial<ShelfBook> = {}) =>
  Array.from({ length: count }, (_, i) => book(i + 1, change));
const spines = (layout: ShelfLayout) => layout.shelves.flatMap((shelf) => shelf.spines);

describe("how many shelves", () => {
  it.each([
    [343, 6, 1],
    [343, 7, 2],
    [343, 64, 4],
    [343, 65, 5],
    [720, 10, 1],
    [720, 161, 5],
    [1124, 14, 1],
    [1124, 64, 2],
    [1124, 280, 4],
    [1124, 281, 5],
    [343, 500, 11],
  ])("a board of %i px with %i books aims at %i", (board, count, shelves) => {
    expect(shelvesAimedAt(count, board)).toBe(shelves);
  });

  it("never draws more than it aimed at while spines can still get thinner", () => {
    for (const width of [343, 720, 1216, 1520]) {
      for (const count of [1, 5, 16, 62, 176, 500]) {
        const layout = layoutShelf(books(count), width);
        expect(layout.shelves.length).toBeLessThanOrEqual(shelvesAimedAt(count, layout.board));
      }
    }
  });
});

describe("thickness", () => {
  it("is the words, at one scale for every spine", () => {
    const layout = layoutShelf([book(1, { wordCount: 100_000 }), book(2, { wordCount: 50_000 })], 1216);
    const [first, second] = spines(layout);
    expect(first?.width).toBeCloseTo(46);
    expect(second?.width).toBeCloseTo(23);
  });

  it("is at least 3 px and at most two fifths of the board", () => {
    const layout = layoutShelf([book(1, { wordCount: 0 }), book(2, { wordCount: 100_000_000 })], 500);
    expect(spines(layout).map(({ width }) => Math.round(width))).toEqual([3, 200]);
  });

  it("leaves no spine beyond the end of its board", () => {
    for (const width of [343, 720, 1216]) {
      const layout = layoutShelf(books(62), width);
      for (const spine of spines(layout)) expect(spine.x + spine.width).toBeLessThanOrEqual(layout.board);
    }
  });
});

describe("height", () => {
  it.each([
    [10, 1],
    [0, 0.5],
    [null, 0.72],
  ])("a rating of %s stands %f high", (rating, share) => {
    expect(relativeHeight(book(1, { rating }), "rating")).toBeCloseTo(share);
  });

  it("can show the format instead", () => {
    expect(relativeHeight(book(1, { format: "Audio", rating: 10 }), "format")).toBe(0.7);
  });

  it("shrinks with the number of shelves", () => {
    expect(layoutShelf(books(10), 1216).tallest).toBe(172);
    expect(layoutShelf(books(500), 1216).tallest).toBe(104);
    expect(layoutShelf(books(10), 343).tallest).toBe(150);
  });
});

describe("books without a date", () => {
  it("are at the far left, separated by a bookend 30 px wide", () => {
    const layout = layoutShelf([book(1, { date: null, rating: null }), book(2)], 1216);
    const [undated, dated] = spines(layout);
    expect(layout.shelves[0]?.bookend).toBeCloseTo((undated?.width ?? 0) + 2);
    expect((dated?.x ?? 0) - (undated?.width ?? 0) - 2).toBeCloseTo(30);
  });

  it("need no bookend when there are no others", () => {
    expect(layoutShelf(books(3, { date: null }), 1216).shelves[0]?.bookend).toBeNull();
  });
});

describe("the ruler", () => {
  it("starts at nought, counts on over the shelves, and never skips a mark", () => {
    const layout = layoutShelf(books(62), 1216);
    const marks = layout.shelves.flatMap(({ ticks }) => ticks.map(({ words }) => words));
    const step = marks[1] ?? 0;
    expect(marks[0]).toBe(0);
    expect(new Set(marks.slice(1).map((words, i) => words - (marks[i] ?? 0)))).toEqual(new Set([step]));
  });

  it("is exact inside a spine, whatever its thickness", () => {
    const layout = layoutShelf([book(1, { wordCount: 2_000 }), book(2, { wordCount: 98_000 })], 1216);
    const second = spines(layout)[1];
    const tick = layout.shelves[0]?.ticks.find(({ words }) => words === 80_000);
    expect(tick?.x).toBeCloseTo((second?.x ?? 0) + ((second?.width ?? 0) * 78) / 98);
  });

  it("goes on after the last book to the end of the board", () => {
    const layout = layoutShelf([book(1)], 1216);
    expect(layout.shelves[0]?.ticks.at(-1)?.x).toBeGreaterThan(layout.board - 50);
  });

  it("has its numbers at least 84 px apart, 64 on a narrow board", () => {
    for (const [width, least] of [
      [1216, 84],
      [343, 64],
    ] as const) {
      const majors = layoutShelf(books(5), width).shelves[0]?.ticks.filter(({ major }) => major) ?? [];
      const last = majors.slice(-2).map(({ x }) => x);
      expect((last[1] ?? 0) - (last[0] ?? 0)).toBeGreaterThanOrEqual(least);
    }
  });

  it.each([
    [0, "0"],
    [500_000, "500K"],
    [2_000_000, "2M"],
    [1_500_000, "1.5M"],
  ])("says %i as %s", (words, label) => {
    expect(tickLabel(words)).toBe(label);
  });
});

describe("the last book", () => {
  it("leans where there is room, and a place for the next one follows", () => {
    const shelf = layoutShelf(books(5), 1216).shelves[0];
    expect(shelf?.spines.at(-1)?.lean).toBe(5.5);
    expect(shelf?.slot).not.toBeNull();
  });

  it("stands upright beside one other book", () => {
    expect(layoutShelf(books(2), 1216).shelves[0]?.spines.at(-1)?.lean).toBe(0);
  });

  it("has no place after it on another reader's shelf", () => {
    expect(layoutShelf(books(5), 1216, { slot: false }).shelves[0]?.slot).toBeNull();
  });
});

describe("the notes", () => {
  it("are in a margin of 92 px from 860 px on, and below the ruler on narrower stages", () => {
    expect(layoutShelf(books(5), 860).margin).toBe(92);
    const narrow = layoutShelf(books(5), 859);
    expect(narrow.margin).toBe(0);
    expect(narrow.height - layoutShelf(books(5), 859, { notes: false }).height).toBe(18);
  });
});

describe("the arrow keys", () => {
  it("find the book above and below, and nothing beyond the first and last shelf", () => {
    const layout = layoutShelf(books(62), 1216);
    const below = neighbour(layout, 1, "down");
    expect(layout.shelves[1]?.spines.map(({ book }) => book.id)).toContain(below);
    expect(neighbour(layout, below ?? 0, "up")).toBe(1);
    expect(neighbour(layout, 1, "up")).toBeNull();
  });
});

describe("an odd library", () => {
  it("of no books has one bare shelf", () => {
    const layout = layoutShelf([], 1216);
    expect(layout.shelves).toHaveLength(1);
    expect(layout.shelves[0]?.slot?.x).toBe(0);
  });

  it("of books without words is laid out all the same", () => {
    const layout = layoutShelf(books(40, { wordCount: 0 }), 1216);
    expect(spines(layout)).toHaveLength(40);
  });
});

it("the ruler goes on from the words of the books before the first one", () => {
  const [first] = layoutShelf(books(40), 1_200, { start: 135_000_000 }).shelves;
  expect(first?.ticks[0]?.words).toBeGreaterThanOrEqual(135_000_000);
  expect(layoutShelf(books(40), 1_200).shelves[0]?.ticks[0]?.words).toBe(0);
});

it("the note of a shelf names no month that no one knows", () => {
  const period = (...dates: Partial<ShelfBook>[]) =>
    periodOf(
      spines(
        layoutShelf(
          dates.map((change, at) => book(at + 1, change)),
          1124,
        ),
      ),
    );
  const [year, month, day] = [
    { completedFrom: "2012-01-01", date: "2012-12-31" },
    { completedFrom: "2020-03-01", date: "2020-03-31" },
    { date: "2020-05-09" },
  ];
  expect(period(year, day)).toEqual(["2012 –", "May 2020"]);
  expect(period(month, day)).toEqual(["Mar – May", "2020"]);
  expect(period(year)).toEqual(["2012", ""]);
});
