import { expect, it } from "vitest";
import type { Review, ShelfBook } from "../../kit/api/types";
import {
  besideNote,
  bestMonth,
  byWholePoint,
  daysOf,
  differenceSentences,
  isPeriod,
  lackingOf,
  lengthsOf,
  neighbour,
  paceOf,
  periodBefore,
  sentence,
  spanOf,
} from "./model";

const NO_TOTALS = { books: 0, titles: 0, words: 0, pages: 0, minutes: 0, rereads: 0, notFinished: 0, daysRead: 0 };

const REVIEW: Review = {
  period: "2025",
  complete: false,
  shown: "all",
  limitedToMonths: null,
  totals: NO_TOTALS,
  before: NO_TOTALS,
  months: [],
  otherWords: [],
  wordsOutsideMonths: 0,
  shelf: [],
  longest: null,
  shortest: null,
  fastest: null,
  first: null,
  last: null,
  best: [],
  genres: [],
  authors: [],
  newAuthors: [],
  formats: [],
  ratings: [],
  averageRating: null,
  streak: null,
  missing: { date: 0, words: 0, rating: 0 },
};

const BOOK: ShelfBook = {
  id: 1,
  title: "Emma",
  author: "Jane Austen",
  wordCount: 160_000,
  rating: 8,
  format: "Print",
  genres: [],
  startDate: null,
  date: "2025-12-31",
  completedFrom: null,
  reread: false,
};

it("reads addresses of years and months and leads to their neighbours", () => {
  expect(["1900", "2100-12", "2026-01"].map(isPeriod)).toEqual([true, true, true]);
  expect(["1899", "2101", "2026-13", "2026-1", "soon", "2026-01-01", ""].filter(isPeriod)).toEqual([]);
  expect(neighbour("2025", 1)).toBe("2026");
  expect([neighbour("2025-12", 1), neighbour("2025-01", -1)]).toEqual(["2026-01", "2024-12"]);
  expect([neighbour("1900", -1), neighbour("2100-12", 1), neighbour("1900-01", -1)]).toEqual([null, null, null]);
  expect([periodBefore("2025-11"), periodBefore("2025"), periodBefore("1900-05")]).toEqual(["2024-11", "2024", null]);
  expect([daysOf("2024-02").last, daysOf("2025-02").last, daysOf("2025").last]).toEqual([
    "2024-02-29",
    "2025-02-28",
    "2025-12-31",
  ]);
});

it("says in a sentence what a period was", () => {
  const year: Review = {
    ...REVIEW,
    totals: { ...NO_TOTALS, books: 32, words: 3_861_361 },
    before: { ...NO_TOTALS, books: 22 },
  };
  expect(sentence(year, "2025-11-18")).toBe("32 books, 3.9 million words so far: a book every 10 days.");
  const past = { ...year, complete: true, shelf: [{ ...BOOK, completedFrom: "2025-01-01" }] };
  expect(sentence(past, "2026-02-01")).toBe("32 books, 3.9 million words: a book every 11 days. One has no exact day.");
  const few = { ...REVIEW, totals: { ...NO_TOTALS, books: 2, words: 234_567 }, before: year.totals };
  expect(sentence(few, "2025-11-18")).toBe("Two books, 234,567 words.");
  expect(spanOf("2025", "2025-11-18")).toBe("January 1 to November 18");
  expect(spanOf("2025-02", "2025-11-18")).toBe("February 1 to February 28");
});

it("says by how much the words of months and books differ", () => {
  const months = [{ month: "2026-12", words: 62_000, books: 1, aboutWords: 0 }];
  const review = { ...REVIEW, period: "2026", months, totals: { ...NO_TOTALS, words: 142_000 } };
  expect(differenceSentences(review)).toEqual([]);
  const both = { ...review, otherWords: [{ period: "2027", words: 12_000 }], wordsOutsideMonths: 92_000 };
  expect(differenceSentences(both)).toEqual([
    "Of these words 12,000 belong to books finished in 2027.",
    "92,000 words of these books were read in other years.",
  ]);
});

it("a figure stands beside the one of the period before", () => {
  expect(besideNote("22", "2025", "2024", "2025-11-18")).toBe("22 by this day last year");
  expect(besideNote("22", "2024", "2023", "2025-11-18")).toBe("22 in 2023");
  expect(besideNote("2", "2025-03", "2024-03", "2025-11-18")).toBe("2 in Mar 2024");
});

it("the pace is that of the books that say when they were begun", () => {
  const read = (startDate: string | null, date: string, wordCount: number) => ({ ...BOOK, startDate, date, wordCount });
  const shelf = [
    read("2025-01-01", "2025-01-10", 100_000),
    read("2025-01-29", "2025-02-02", 10_000),
    read(null, "2025-03-01", 50_000),
  ];
  const pace = paceOf(shelf, "2025");
  expect(pace?.bars.slice(0, 3)).toEqual([
    { name: "Jan", value: 10_000, text: "10.0K" },
    { name: "Feb", value: 2_000, text: "2.0K" },
    { name: "Mar", value: 0, text: "" },
  ]);
  expect(pace?.average).toBe(7_333);
  expect(paceOf([read(null, "2025-03-01", 50_000)], "2025")).toBeNull();
});

it("books are counted by length, and the length that leads is named", () => {
  const long = (wordCount: number) => ({ ...BOOK, wordCount });
  const lengths = lengthsOf([39_999, 40_000, 80_000, 119_999, 200_000, 0].map(long));
  expect(lengths?.bars.map(({ name, value }) => [name, value])).toEqual([
    ["<40K", 1],
    ["40–80K", 1],
    ["80–120K", 2],
    ["120–200K", 0],
    ["200K+", 1],
  ]);
  expect(lengths?.most).toBe("Most often 80K to 120K words.");
  expect(lengthsOf([long(10_000), long(50_000)])?.most).toBe("");
  expect(lengthsOf([long(0)])).toBeNull();
});

it("counts half points with the point below, and names the month with most words", () => {
  expect(
    byWholePoint([
      { rating: 8, books: 1 },
      { rating: 8.5, books: 2 },
      { rating: 10, books: 1 },
    ]),
  ).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1]);
  const month = (name: string, words: number) => ({ month: name, words, books: 1, aboutWords: 0 });
  expect(bestMonth([month("2025-01", 5), month("2025-10", 9)])).toBe("Most in October.");
  expect(bestMonth([month("2025-01", 9), month("2025-10", 9)])).toBe("");
});

it("lists what is missing of the period's books", () => {
  const shelf = [BOOK, { ...BOOK, id: 2, rating: null, wordCount: 0 }, { ...BOOK, id: 3, completedFrom: "2025-01-01" }];
  const found = lackingOf({ ...REVIEW, shelf, missing: { date: 4, words: 1, rating: 1 } });
  expect(found.map(({ name, books }) => [name, books.map(({ id }) => id)])).toEqual([
    ["only a rough date", [3]],
    ["no word count", [2]],
    ["no rating", [2]],
  ]);
});
