import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { numbered, wholeNumbers } from "./seriesNumber";

/** The table that the server's tests read, too. */
const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../tests/fixtures/series-numbers.json"), "utf8"),
) as { number: string; whole: number[] }[];

it.each(cases)("$number stands for $whole", ({ number, whole }) => {
  expect(wholeNumbers(number)).toEqual(whole);
});

it("a number is shown as typed", () => {
  expect(["4", "1-3", "#4", "Book 4"].map(numbered)).toEqual(["#4", "#1-3", "#4", "Book 4"]);
});
