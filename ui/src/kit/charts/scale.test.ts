import { expect, it } from "vitest";
import { axisLabel, labelled, marksUpTo, niceStep } from "./scale";

it.each([
  [596_700, 4, 200_000],
  [596_700, 3, 200_000],
  [90_000, 4, 25_000],
  [7, 4, 2],
  [0, 4, 1],
])("up to %i in %i parts goes in steps of %i", (most, parts, step) => {
  expect(niceStep(most, parts)).toBe(step);
});

it("the last mark holds the highest value", () => {
  expect(marksUpTo(596_700, 4)).toEqual([200_000, 400_000, 600_000]);
  expect(marksUpTo(0, 4)).toEqual([1]);
});

it("labels are counted back from the last place, and thin out where there is no room", () => {
  expect(labelled(6, 600)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(labelled(24, 600)).toEqual([2, 5, 8, 11, 14, 17, 20, 23]);
  expect(labelled(24, 100)).toEqual([11, 23]);
  expect(labelled(0, 600)).toEqual([]);
});

it.each([
  [0, "0"],
  [200_000, "200K"],
  [2_500_000, "2.5M"],
  [1_000_000, "1M"],
])("%i is written %s", (value, label) => {
  expect(axisLabel(value)).toBe(label);
});
