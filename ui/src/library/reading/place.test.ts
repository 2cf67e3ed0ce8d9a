import { expect, it } from "vitest";
import type { Book } from "../../kit/api/types";
import { aRead } from "../books/test-read";
import { paceLine, placeLine, stepsOf, whereLine } from "./place";

const TODAY = "2025-11-18";

const open = (more: Partial<Book> = {}): Book => aRead({ status: "in-progress", pages: 415, ...more });

it("the line of a book says its place and the day of the note", () => {
  const progress = { at: 5_108, page: 212, day: "2025-11-17" };
  expect(whereLine(open({ progress }), TODAY)).toBe("Page 212 of 415, noted Nov 17");
  expect(whereLine(open({ pages: null, progress: { ...progress, page: null, day: "2024-12-30" } }), TODAY)).toBe(
    "51%, noted Dec 30, 2024",
  );
  expect(whereLine(open({ progress, pausedSince: "2025-09-02" }), TODAY)).toBe("Page 212 of 415, paused since Sep 2");
  expect(whereLine(open({ startDate: "2025-11-03" }), TODAY)).toBe("Reading since Nov 3");
  expect(whereLine(open({ startDate: null, pausedSince: "2025-09-02" }), TODAY)).toBe("Paused since Sep 2");
});

it("the short line has the unit that is known, also for a place that was noted in percent", () => {
  const half = { at: 5_000, page: null, day: TODAY };
  expect(placeLine(open({ progress: { at: 5_108, page: 212, day: TODAY } }), TODAY)).toBe("Page 212 of 415");
  expect(placeLine(open({ progress: half }), TODAY)).toBe("Page 207 of 415");
  expect(placeLine(open({ pages: null, progress: half }), TODAY)).toBe("50%");
  expect(placeLine(open({ format: "Audio", minutes: 750, progress: half }), TODAY)).toBe("6:15 of 12:30");
  expect(placeLine(open({ startDate: "2025-11-03" }), TODAY)).toBe("Since Nov 3");
  expect(placeLine(open({ startDate: null }), TODAY)).toBe("No place noted");
});

it("steps stay within the book, by pages where it has them", () => {
  const payloads = (book: Book) => stepsOf(book).map(({ payload }) => payload);
  expect(payloads(open({ progress: { at: 9_542, page: 396, day: TODAY } }))).toEqual([{ page: 401 }, { page: 406 }]);
  expect(payloads(open({ pages: null, progress: { at: 8_700, page: null, day: TODAY } }))).toEqual([
    { percent: 92 },
    { percent: 97 },
  ]);
  expect(stepsOf(open())[0]?.name).toBe("5 pages on: page 5");
});

it("an audiobook with a length is noted and stepped through by time", () => {
  const heard = open({ format: "Audio", minutes: 750, progress: { at: 9_600, page: null, day: TODAY } });
  expect(whereLine(heard, TODAY)).toBe("12:00 of 12:30, noted Nov 18");
  expect(stepsOf(heard).map(({ label, payload }) => [label, payload])).toEqual([
    ["+10", { time: "12:10" }],
    ["+20", { time: "12:20" }],
    ["+30", { time: "12:30" }],
  ]);
});

it("what is left is said in the unit that is known, with the day of the end", () => {
  const forecast = { days: 9, date: "2025-11-27" };
  const half = { progress: { at: 5_108, page: 212, day: TODAY } };
  expect(paceLine(open(half), forecast, TODAY)).toBe("203 pages left: done around Nov 27 at this pace.");
  expect(paceLine(open(half), { days: 0, date: TODAY }, TODAY)).toBe("203 pages left: done today at this pace.");
  const noPages = { pages: null, progress: { at: 5_108, page: null, day: TODAY } };
  expect(paceLine(open(noPages), forecast, TODAY)).toBe("Done around Nov 27 at this pace.");
  expect(paceLine(open({ ...noPages, format: "Audio", minutes: 750 }), forecast, TODAY)).toBe(
    "6 h 7 min left: done around Nov 27 at this pace.",
  );
});
