import { expect, it } from "vitest";
import type { ReadingCharts } from "../../../kit/api/types";
import {
  languagesFigure,
  lengthFigure,
  outcomesFigure,
  paceFigure,
  periodsOf,
  publishedFigure,
  ratingsFigure,
} from "./model";

const NOTHING = { pace: [], lengths: [], published: [], languages: [], ratings: [], outcomes: [], tags: [] };
const stats = (lists: Partial<ReadingCharts>) => periodsOf({ ...NOTHING, ...lists });
/** Two years that are compared. */
const beside = (one: Partial<ReadingCharts>, other: Partial<ReadingCharts>) =>
  periodsOf({
    periods: [
      { ...NOTHING, ...one, from: "2025-01-01", to: "2025-12-31" },
      { ...NOTHING, ...other, from: "2024-01-01", to: "2024-12-31" },
    ],
  });
const month = (name: string, wordsPerDay: number, days = 10) => ({
  month: name,
  words: wordsPerDay * days,
  days,
  wordsPerDay,
});

it("without values every chart is empty", () => {
  const figures = [paceFigure, lengthFigure, publishedFigure, languagesFigure, ratingsFigure, outcomesFigure];
  expect(figures.flatMap((figure): unknown[] => [...figure(stats({})).drawn])).toEqual([]);
  // A band without books alone is no value.
  expect(lengthFigure(stats({ lengths: [{ from: 0, to: 40_000, books: 0, words: 0 }] })).drawn).toEqual([]);
});

it("pace leaves a gap where nothing with a span was finished, and its mean weighs the days", () => {
  const { drawn, note, table } = paceFigure(stats({ pace: [month("2025-11", 6_000, 15), month("2026-01", 9_000, 5)] }));
  expect(drawn.map(({ name, value }) => [name, value])).toEqual([
    ["2025-11", 6_000],
    ["2025-12", null],
    ["2026-01", 9_000],
  ]);
  expect(note).toBe("About 6.8K words a day.");
  expect(table.rows).toEqual([
    ["2025-11", "6,000"],
    ["2026-01", "9,000"],
  ]);
});

it("two years stand month by month below each other", () => {
  const periods = beside(
    { pace: [month("2025-03", 8_000)] },
    { pace: [month("2024-03", 7_000), month("2024-04", 6_000)] },
  );
  const { drawn, note, table } = paceFigure(periods);
  expect(drawn).toHaveLength(12);
  expect(drawn[2]).toMatchObject({ name: "Mar", value: 8_000, other: 7_000 });
  expect(drawn[3]).toMatchObject({ name: "Apr", value: null, other: 6_000 });
  expect(note).toBe("8.0K words a day in 2025, 6.5K words a day in 2024.");
  expect(table.head).toEqual(["Month", "Words a day 2025", "Words a day 2024"]);
  expect(table.rows).toEqual([
    ["Mar", "8,000", "7,000"],
    ["Apr", "-", "6,000"],
  ]);
});

it("lengths are named by thousands of words, and the unknown ones only where there are any", () => {
  const lengths = [
    { from: 0, to: 40_000, books: 1, words: 30_000 },
    { from: 40_000, to: 80_000, books: 3, words: 180_000 },
    { from: 200_000, to: null, books: 0, words: 0 },
    { from: null, to: null, books: 0, words: 0 },
  ];
  const { drawn, note } = lengthFigure(stats({ lengths }));
  expect(drawn.map(({ name, value }) => [name, value])).toEqual([
    ["<40K", 1],
    ["40–80K", 3],
    ["200K+", 0],
  ]);
  expect(note).toBe("Most often 40K to 80K words.");
});

it("decades of two years are in their order, and books without a year are said", () => {
  const one = {
    published: [
      { decade: 2010, books: 2, words: 1 },
      { decade: null, books: 1, words: 1 },
    ],
  };
  const other = { published: [{ decade: 1810, books: 4, words: 1 }] };
  const { drawn, note } = publishedFigure(beside(one, other));
  expect(drawn.map(({ name, value, other }) => [name, value, other?.value])).toEqual([
    ["1810s", 0, 4],
    ["2010s", 2, 0],
  ]);
  expect(note).toBe("By first edition. 1 book has no year.");
});

it("languages have their names, and the first one its share", () => {
  const languages = [
    { language: "en", books: 3, words: 1 },
    { language: null, books: 1, words: 1 },
  ];
  const { drawn, note } = languagesFigure(stats({ languages }));
  expect(drawn.map(({ name, words }) => [name, words])).toEqual([
    ["English", 3],
    ["unknown", 1],
  ]);
  expect(note).toBe("English leads with 75.0%.");
});

it("languages stand by their number of books, fewer of them in two years, and unknown ones alone are nothing to draw", () => {
  const of = (...counts: [string | null, number][]) => ({
    languages: counts.map(([language, books]) => ({ language, books, words: 1 })),
  });
  const { drawn } = languagesFigure(stats(of(["de", 2], ["en", 3], [null, 1])));
  expect(drawn.map(({ name }) => name)).toEqual(["English", "German", "unknown"]);
  expect(languagesFigure(stats(of(["en", 3]))).note).toBe("All in English.");
  expect(languagesFigure(stats(of([null, 3]))).drawn).toEqual([]);
  const many = of(["en", 9], ["de", 8], ["fr", 7], ["it", 6], ["sv", 5]);
  expect(languagesFigure(beside(many, many)).drawn).toHaveLength(8);
});

it("outcomes say how many were not finished, or how many were where all were", () => {
  const all = { year: 2024, finished: 20, notFinished: 0, share: 0 };
  const { drawn, note } = outcomesFigure(
    stats({ outcomes: [all, { year: 2025, finished: 18, notFinished: 2, share: 10 }] }),
  );
  expect(drawn).toMatchObject([
    { name: "2024", value: 20, text: "" },
    { name: "2025", value: 18, rest: { value: 2, text: "10%" } },
  ]);
  expect(note).toBe("2 of 40 not finished, 5.0%.");
  expect(outcomesFigure(stats({ outcomes: [all] })).drawn).toMatchObject([{ text: "20" }]);
});

it("ratings go from the first year to the last, and two years are averages", () => {
  const ratings = [
    { year: 2024, average: 8, rated: 10 },
    { year: 2025, average: 8.5, rated: 4 },
  ];
  expect(ratingsFigure(stats({ ratings })).note).toBe("From 8.0 in 2024 to 8.5 in 2025.");
  expect(ratingsFigure(beside({ ratings: ratings.slice(1) }, { ratings: ratings.slice(0, 1) })).note).toBe(
    "8.5 in 2025, 8.0 in 2024.",
  );
});
