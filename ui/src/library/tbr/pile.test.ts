import { expect, it } from "vitest";
import { linesOf, thicknesses } from "./pile";

/** The thickness from which a spine has its title. */
const LETTERED = 15;
const measure = (text: string, size: number) => text.length * size * 0.5;

const many = (count: number) => Array.from({ length: count }, () => 90_000);

it("a short list stands completely, as thick as its words", () => {
  expect(thicknesses([100_000, 50_000, 0], 1_200)).toEqual([50, 25, 15]);
  expect(thicknesses([100_000, 2_000], 1_200)).toEqual([50, 6]);
});

it("of a long list the first books stand, each thick enough for its title", () => {
  for (const count of [140, 700]) {
    const shown = thicknesses(many(count), 1_200);
    expect(shown.length).toBeGreaterThan(40);
    expect(shown.length).toBeLessThan(count);
    expect(Math.min(...shown)).toBeGreaterThanOrEqual(LETTERED);
  }
});

it("books without a word count have their titles, also when no book of the list has one", () => {
  expect(thicknesses([0, 0, 0], 1_200)).toEqual([LETTERED, LETTERED, LETTERED]);
  const shown = thicknesses(
    Array.from({ length: 140 }, () => 0),
    1_200,
  );
  expect(new Set(shown)).toEqual(new Set([LETTERED]));
  expect(shown.length).toBeLessThan(140);
  expect(
    Math.min(...thicknesses([...many(100), ...Array.from({ length: 600 }, () => 0)], 1_200)),
  ).toBeGreaterThanOrEqual(LETTERED);
});

it("a title that is too long for a thin spine is cut, not left out", () => {
  expect(linesOf("Kindred", 15, 10, measure)).toEqual(["Kindred"]);
  expect(linesOf("A Psalm for the Wild-Built", 40, 13, measure)).toEqual(["A Psalm for the", "Wild-Built"]);
  expect(linesOf("The Brothers Karamazov", 15, 10, measure)).toEqual(["The Brothers Karam…"]);
  expect(linesOf("Kindred", 14, 10, measure)).toEqual([]);
});
