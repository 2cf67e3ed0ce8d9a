import { expect, it } from "vitest";
import { endOfDay, isEnded, KINDS, lastDay, type Subject, shareName, shownParts, switches, visible } from "./model";

const review = (period: string): Subject => ({ kind: "review", period, tag: null });
const link = (kind: Subject["kind"], tag: string | null = null): Subject => ({ kind, period: null, tag });

it("says what is seen and what is not, for every choice", () => {
  expect(visible(review("2026"), ["dates"])).toBe(
    "Anyone with this link sees: title, author, number of words and day of the books finished in 2026. Not your ratings, impressions, covers, series, name, TBR or email address.",
  );
  expect(visible(review("2026-11"), [])).toContain(
    "title, author and number of words of the books finished in Nov 2026.",
  );
  const all = visible(review("2026"), ["name", "covers", "series", "ratings", "impressions", "dates"]);
  expect(all).toContain(
    "number of words, rating, impressions, day, cover and series of the books finished in 2026, and your display name.",
  );
  expect(all).toContain("Not your TBR or email address.");
});

it.each([
  [
    link("feed"),
    "title, author and day of the 50 books you finished last. Not your ratings, impressions, covers, series, name, TBR or email address.",
  ],
  [
    link("calendar"),
    "title, author and day of the books you finished, with the day you began. Not your ratings, series, name, impressions, covers, TBR or email address.",
  ],
  [
    link("public"),
    "title, author, number of words and day of the books you finished this year and of those you are reading, with how far you are. Not your ratings, impressions, covers, series, name, TBR or email address.",
  ],
  [link("list"), "title and author of the books on your TBR. Not your name, notes, library or email address."],
  [
    link("list", "gifts"),
    "title and author of the books on your TBR with the tag ‘gifts’. Not your name, notes, library or email address.",
  ],
  [
    link("tag", "owned"),
    "title and author of the books with the tag ‘owned’. Not your ratings, impressions, days, covers, series, name, other books, TBR or email address.",
  ],
])("says what a new link shows: %j", (subject, text) => {
  expect(visible(subject, KINDS[subject.kind].preset)).toBe(`Anyone with this link sees: ${text}`);
});

it("offers no switch for what a kind always or never shows", () => {
  expect(switches("feed").map(({ part }) => part)).toEqual(["ratings", "impressions", "covers", "series", "name"]);
  expect(switches("calendar").map(({ part }) => part)).toEqual(["ratings", "series", "name"]);
  expect(switches("list").map(({ part }) => part)).toEqual(["name"]);
  expect(switches("tag")).toHaveLength(6);
});

it("names a link and what it shows", () => {
  expect(shareName(review("2026-11"))).toBe("Nov 2026 in review");
  expect(shareName(link("list"))).toBe("What to give me");
  expect(shareName(link("list", "gifts"))).toBe("What to give me: gifts");
  expect(shownParts({ kind: "review", parts: [] })).toBe("Titles and authors");
  expect(shownParts({ kind: "review", parts: ["ratings"] })).toBe("With ratings");
  expect(shownParts({ kind: "feed", parts: ["name", "dates"] })).toBe("A feed, with days and your name");
  expect(shownParts({ kind: "list", parts: [] })).toBe("Your TBR, titles and authors");
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
