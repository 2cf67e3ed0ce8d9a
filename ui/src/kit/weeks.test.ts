import { expect, it } from "vitest";
import { weeksOf } from "./weeks";

it("weeks run from Monday to Sunday", () => {
  const weeks = weeksOf("2026-11");
  expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
  expect([weeks[1]?.[0], weeks.length]).toEqual(["2026-11-02", 6]);
  expect(weeksOf("2024-02").flat().filter(Boolean)).toHaveLength(29);
});
