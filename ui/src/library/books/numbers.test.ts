import { expect, it } from "vitest";
import { estimatedWords, isShortened, numberRefusal, readMinutes, readNumber, wordsOfPages } from "./numbers";

it.each([
  ["95k", 95_000],
  ["95 K", 95_000],
  ["95,5k", 95_500],
  ["1.2M", 1_200_000],
  ["1.25 m", 1_250_000],
  ["95,000", 95_000],
  ["95.000", 95_000],
  ["95 000", 95_000],
  ["1,23,456", 123_456],
  ["480 pages", 480],
  ["９５０００", 95_000],
  ["٩٥٬٠٠٠", 95_000],
  ["many", 0],
  ["", 0],
])("%o is read as %i", (typed, value) => {
  expect(readNumber(typed)).toBe(value);
  expect(numberRefusal(typed)).toBe(false);
});

it.each(["1e5", "95.5", "12x", "1,234k", "1,234.5", "about 300", "80-90"])("%o is questioned", (typed) => {
  expect(readNumber(typed)).toBeNull();
  expect(numberRefusal(typed)).toBe(`“${typed}” is not a number that we understand. Write 95000, 95,000 or 95k.`);
});

it("a page says how it understood a shortened number, and not a plain one", () => {
  expect(["95k", "1.2M", "９５０００"].every(isShortened)).toBe(true);
  expect(["95000", "95,000", "1e5", "many", ""].some(isShortened)).toBe(false);
});

it("pages make words at 275 a page", () => {
  expect(wordsOfPages("480")).toBe(132_000);
  expect(wordsOfPages("1e5")).toBe(0);
  expect(wordsOfPages("-3")).toBe(0);
});

it.each([
  ["12:30", 750],
  ["0:05", 5],
  [" 12 h 30 min ", 750],
  ["12h", 720],
  ["１２:３０", 750],
  ["12", null],
  ["12:3", null],
  ["12:60", null],
  ["12.5", null],
  ["", null],
])("the length %o has %s minutes", (typed, minutes) => {
  expect(readMinutes(typed)).toBe(minutes);
});

it("an audiobook has its words from its length, other books from their pages, and hours are no pages", () => {
  const both = { pages: 300, minutes: 600 };
  expect(estimatedWords({ ...both, format: "Audio" })).toEqual({ words: 93_000, source: "minutes" });
  expect(estimatedWords({ ...both, format: "Print" })).toEqual({ words: 82_500, source: "pages" });
  expect(estimatedWords({ format: "Audio", pages: 350, minutes: null })).toEqual({ words: 96_250, source: "pages" });
  expect(estimatedWords({ format: "Audio", pages: 12, minutes: null })).toBeNull();
});
