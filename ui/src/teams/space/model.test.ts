import { describe, expect, it } from "vitest";
import type { Challenge } from "../../kit/api/types";
import { amount, daysOf, formOf, isPast, refusalsOf, standing, timeLeft, toChallenge } from "./model";

const CHALLENGE: Challenge = {
  id: 1,
  title: "Two million words by Christmas",
  metric: "words",
  target: 2_000_000,
  startDate: "2025-09-01",
  endDate: "2025-12-24",
  total: 1_359_258,
  members: [],
};
const TODAY = "2025-11-18";

describe("the form", () => {
  it("of a stored challenge sends back what is stored", () => {
    const { title, metric, target, startDate, endDate } = CHALLENGE;
    const form = formOf(CHALLENGE, TODAY);
    expect(form.target).toBe("2,000,000");
    expect(refusalsOf(form)).toEqual({});
    expect(toChallenge(form)).toEqual({ title, metric, target, startDate, endDate });
  });

  it("that is new begins today, and every field has an error for a missing value", () => {
    const form = formOf(null, TODAY);
    expect(form.startDate).toBe(TODAY);
    expect(Object.keys(refusalsOf({ ...form, startDate: "" }))).toEqual(["title", "target", "startDate", "endDate"]);
  });

  it("takes a challenge of one day, but none that ends before it begins", () => {
    const day = { ...formOf(CHALLENGE, TODAY), startDate: TODAY, endDate: TODAY };
    expect(refusalsOf(day)).toEqual({});
    expect(refusalsOf({ ...day, endDate: "2025-11-17" })).toEqual({
      endDate: "The last day can’t be before the first.",
    });
  });

  it.each(["0", "-3", "many", "1000000000001"])("refuses a target of %s", (target) => {
    expect(Object.keys(refusalsOf({ ...formOf(CHALLENGE, TODAY), target }))).toEqual(["target"]);
  });
});

describe("the days", () => {
  it.each([
    ["2025-09-01", "2025-12-24", "Sep 1 - Dec 24, 2025"],
    ["2025-12-01", "2026-01-31", "Dec 1, 2025 - Jan 31, 2026"],
    ["2025-12-24", "2025-12-24", "Dec 24, 2025"],
  ])("from %s to %s are %s", (startDate, endDate, text) => expect(daysOf({ startDate, endDate })).toBe(text));

  it.each([
    ["2025-12-24", "36 days left"],
    ["2025-11-19", "1 day left"],
    ["2025-11-18", "the last day"],
  ])("until %s: %s", (endDate, text) => expect(timeLeft({ ...CHALLENGE, endDate }, TODAY)).toBe(text));

  it("to come are counted to the first of them", () => {
    expect(timeLeft({ startDate: "2025-12-01", endDate: "2025-12-24" }, TODAY)).toBe("begins in 13 days");
  });

  it("count through the last of them", () => {
    expect(isPast({ startDate: "2025-09-01", endDate: TODAY }, TODAY)).toBe(false);
    expect(isPast({ startDate: "2025-09-01", endDate: "2025-11-17" }, TODAY)).toBe(true);
  });
});

describe("the standing", () => {
  it("is said short", () => {
    expect(standing(CHALLENGE)).toEqual({ read: "1.4M", of: "of 2M words" });
    expect(amount(1_250, "words")).toBe("1.3K");
    expect(amount(1_250, "books")).toBe("1,250");
  });

  it("says when the target is reached, and not before", () => {
    expect(standing({ ...CHALLENGE, total: 1_999_999 })).toEqual({ read: "1,999,999", of: "of 2,000,000 words" });
    expect(standing({ ...CHALLENGE, total: 2_000_000 })).toEqual({ read: "2M", of: "of 2M words, reached" });
    expect(standing({ ...CHALLENGE, metric: "books", target: 1, total: 1 }).of).toBe("of 1 book, reached");
  });
});
