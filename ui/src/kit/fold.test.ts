import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bookFinder, bookKeys, genreKey, nameKey, titleFinder, titleKey } from "./fold";

type Pair = readonly [string, string];

/** The server's tests have the same. */
const cases: Record<"titles" | "names" | "genres", { same: Pair[]; different: Pair[] }> & {
  found: Pair[];
  notFound: Pair[];
} = JSON.parse(readFileSync(join(import.meta.dirname, "../../../tests/fixtures/comparison-keys.json"), "utf8"));

it.each([
  ["titles", titleKey],
  ["names", nameKey],
  ["genres", genreKey],
] as const)("%s are compared as the server compares them", (kind, key) => {
  for (const [one, other] of cases[kind].same) expect(key(one), one).toBe(key(other));
  for (const [one, other] of cases[kind].different) expect(key(one), one).not.toBe(key(other));
});

it("titles are found as the server finds them", () => {
  for (const [typed, title] of cases.found) expect(titleFinder(typed)(title, titleKey(title)), typed).toBe(true);
  for (const [typed, title] of cases.notFound) expect(titleFinder(typed)(title, titleKey(title)), typed).toBe(false);
});

it("a book is found by title, author or both", () => {
  const book = bookKeys("The Hobbit", "J.R.R. Tolkien");
  for (const typed of ["", "hobbit", "J. R. R. Tolkien", "jrr tol", "hobbit - jrr"])
    expect(bookFinder(typed)(book), typed).toBe(true);
  expect(bookFinder("silmarillion")(book)).toBe(false);
});
