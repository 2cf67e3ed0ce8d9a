import { expect, it } from "vitest";
import { ariaSort, NEWEST_FIRST, SORTS, sortedBy } from "./sort";

it("the same column turns round, and back", () => {
  const turned = sortedBy(NEWEST_FIRST, "dateCompleted");
  expect(turned).toEqual({ column: "dateCompleted", order: "asc" });
  expect(sortedBy(turned, "dateCompleted")).toEqual(NEWEST_FIRST);
});

it("another column starts descending", () => {
  expect(sortedBy({ column: "title", order: "asc" }, "rating")).toEqual({ column: "rating", order: "desc" });
});

it("only the sorted column's header says so", () => {
  expect(ariaSort(NEWEST_FIRST, "dateCompleted")).toBe("descending");
  expect(ariaSort(NEWEST_FIRST, "title")).toBeUndefined();
});

it("the select offers both directions of every column", () => {
  expect(new Set(SORTS.map(({ sort }) => `${sort.column} ${sort.order}`)).size).toBe(10);
});
