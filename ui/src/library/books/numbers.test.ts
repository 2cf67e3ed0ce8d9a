import { expect, it } from "vitest";
import { isShortened, numberRefusal, readNumber, wordsOfPages } from "./numbers";

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
