import { expect, it } from "vitest";
import { changesOf, rebase } from "./rebase";

const BASE = { title: "Emma", rating: "7", notes: "", quotes: ["a", "b"] };

it("fields that were not typed into take what was stored elsewhere, and typed ones stay", () => {
  const values = { ...BASE, notes: "typed" };
  const newer = { ...BASE, rating: "9", notes: "from the phone" };
  expect(rebase({ base: BASE, values }, newer)).toEqual({
    base: newer,
    values: { ...newer, notes: "typed" },
    elsewhere: [
      { field: "rating", isKept: false },
      { field: "notes", isKept: true },
    ],
  });
});

it("the same change made twice does not conflict", () => {
  const both = { ...BASE, rating: "9" };
  expect(rebase({ base: BASE, values: both }, both).elsewhere).toEqual([]);
});

it("of lists both additions and both removals count", () => {
  const values = { ...BASE, quotes: ["b", "mine"] };
  const newer = { ...BASE, quotes: ["a", "b", "theirs"] };
  expect(rebase({ base: BASE, values }, newer).values.quotes).toEqual(["b", "theirs", "mine"]);
});

it("only changed fields are sent", () => {
  expect(changesOf(BASE, { ...BASE, rating: "9", quotes: ["a"] })).toEqual({ rating: "9", quotes: ["a"] });
  expect(changesOf(BASE, { ...BASE, quotes: ["a", "b"] })).toEqual({});
});
