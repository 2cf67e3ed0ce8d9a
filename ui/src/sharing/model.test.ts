import { expect, it } from "vitest";
import { endOfDay, isEnded, lastDay, shareName, shownParts, visible } from "./model";

it("says what is seen and what is not, for every choice", () => {
  expect(visible("2026", ["dates"])).toBe(
    "Anyone with this link sees: title, author, number of words and day of the books finished in 2026. Not your ratings, impressions, covers, series, name, list or email address.",
  );
  expect(visible("2026-11", [])).toContain("title, author and number of words of the books finished in Nov 2026.");
  const all = visible("2026", ["name", "covers", "series", "ratings", "impressions", "dates"]);
  expect(all).toContain(
    "number of words, rating, impressions, day, cover and series of the books finished in 2026, and your display name.",
  );
  expect(all).toContain("Not your list or email address.");
});

it("names a link and what it shows", () => {
  expect(shareName({ period: "2026-11" })).toBe("Nov 2026 in review");
  expect(shownParts([])).toBe("Titles and authors");
  expect(shownParts(["ratings"])).toBe("With ratings");
  expect(shownParts(["name", "dates"])).toBe("With days and your name");
});

it("ends on a day that the reader chooses", () => {
  expect(lastDay("never", "2026-11-18", "2026-12-01")).toBeNull();
  expect(lastDay("week", "2026-11-28", "")).toBe("2026-12-05");
  expect(lastDay("month", "2026-11-18", "")).toBe("2026-12-18");
  expect(lastDay("day", "2026-11-18", "2026-12-01")).toBe("2026-12-01");
});

it("takes the last second of the day in the reader's time zone, also when the clocks change", () => {
  expect(endOfDay("2026-12-01", "UTC")).toBe("2026-12-01T23:59:59.000Z");
  expect(endOfDay("2026-12-01", "Pacific/Kiritimati")).toBe("2026-12-01T09:59:59.000Z");
  expect(endOfDay("2026-12-01", "America/Los_Angeles")).toBe("2026-12-02T07:59:59.000Z");
  // The clocks went back at 3 o'clock.
  expect(endOfDay("2026-10-25", "Europe/Berlin")).toBe("2026-10-25T22:59:59.000Z");
  expect(endOfDay("2026-10-24", "Europe/Berlin")).toBe("2026-10-24T21:59:59.000Z");
});

it("knows a link that has ended", () => {
  const now = new Date("2026-12-01T12:00:00Z");
  expect(isEnded({ expiresAt: null }, now)).toBe(false);
  expect(isEnded({ expiresAt: "2026-12-01T12:00:01Z" }, now)).toBe(false);
  expect(isEnded({ expiresAt: "2026-12-01T12:00:00Z" }, now)).toBe(true);
});
