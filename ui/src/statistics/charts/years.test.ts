import { expect, it } from "vitest";
import { byYear, isLong } from "./years";

const months = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const month = `${2006 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`;
    return { month, words: 1_000, books: 1, aboutWords: at < 12 ? 10 : 0 };
  });

it("five years are read by month, more of them by year", () => {
  expect(isLong(months(60))).toBe(false);
  expect(isLong(months(61))).toBe(true);
});

it("a year is the sum of its months, also of those that are there", () => {
  expect(byYear(months(26))).toEqual([
    { name: "2006", words: 12_000, about: 120 },
    { name: "2007", words: 12_000, about: 0 },
    { name: "2008", words: 2_000, about: 0 },
  ]);
});
