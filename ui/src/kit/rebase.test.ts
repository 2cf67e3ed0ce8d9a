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

it("a list of objects is merged by content, and a new order stays where no one else changed the list", () => {
  type Form = { people: { name: string }[] };
  const [ann, bob, cy] = [{ name: "Ann" }, { name: "Bob" }, { name: "Cy" }];
  const copy = (form: Form): Form => structuredClone(form);
  const base = { people: [ann, bob] };
  expect(rebase({ base, values: { people: [ann] } }, copy({ people: [ann, bob, cy] })).values).toEqual({
    people: [ann, cy],
  });
  expect(rebase({ base, values: { people: [bob, ann] } }, copy(base)).values).toEqual({ people: [bob, ann] });
});
