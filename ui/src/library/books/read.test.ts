import { describe, expect, it } from "vitest";
import type { ReadingDay } from "../../kit/api/types";
import {
  besideDays,
  changeOf,
  countingOf,
  currentRead,
  dayForm,
  dayPayload,
  daysOf,
  forecastLine,
  lengthOf,
  logRows,
  placeOf,
  presentPlace,
  readName,
  stoppedAt,
  summary,
  ticksOf,
  unitsOf,
} from "./read";
import { aRead } from "./test-read";

const TODAY = "2026-11-12";
const day = (day: string, at: number | null, page: number | null = null): ReadingDay => ({
  day,
  at,
  page,
  time: null,
  minutes: null,
  note: null,
  covered: null,
});

describe("the sentence below the title", () => {
  const open = aRead({ status: "in-progress", dateCompleted: null, startDate: "2026-11-03", rating: null });
  it("names start and place of an open read", () => {
    expect(summary([open], TODAY)).toBe("Reading since Nov 3.");
    const progress = { at: 5_108, day: "2026-11-10", page: 212 };
    expect(summary([{ ...open, progress, pages: 415 }], TODAY)).toBe("Reading since Nov 3. Page 212 of 415.");
    expect(summary([{ ...open, progress: { ...progress, page: null } }], TODAY)).toBe("Reading since Nov 3. 51.08%.");
    const byPercent = { ...open, progress: { ...progress, page: null }, pages: 400 };
    expect(summary([byPercent], TODAY)).toBe("Reading since Nov 3. Page 204 of 400.");
    const paused = { ...open, progress, pages: 415, pausedSince: "2025-09-02" };
    expect(summary([paused], TODAY)).toBe("Paused since Sep 2, 2025, at page 212 of 415.");
  });
  it("says how often a book was finished, and when last", () => {
    const rough = aRead({ dateCompleted: "2019-12-31", completedFrom: "2019-01-01" });
    expect(summary([rough], TODAY)).toBe("Finished in 2019.");
    expect(summary([rough, aRead({ dateCompleted: "2025-06-22" })], TODAY)).toBe(
      "Read twice, last finished on Jun 22, 2025.",
    );
    expect(summary([aRead({ status: "undated", dateCompleted: null })], TODAY)).toBe("Finished, without a date.");
  });
  it("says where a book was given up, as far as that is known", () => {
    const given = aRead({ status: "did-not-finish", dateCompleted: null, rating: null });
    expect(summary([given], TODAY)).toBe("Not finished.");
    const known = { ...given, stoppedDate: "2025-03-20", progress: { at: 3_100, day: "2025-03-20", page: null } };
    expect(summary([known], TODAY)).toBe("Not finished. Stopped on Mar 20, 2025, at 31%.");
    expect(stoppedAt({ ...known, wordCount: 265_000 })).toBe("Stopped at 31%, 82,150 of 265,000 words.");
    expect(stoppedAt({ ...known, wordCount: 0 })).toBe("Stopped at 31%.");
  });
});

it("a forecast names the day, with its year when that is another", () => {
  expect(forecastLine({ days: 9, date: "2026-11-21" }, TODAY)).toBe("At this pace you finish around Nov 21.");
  expect(forecastLine({ days: 60, date: "2027-01-11" }, TODAY)).toBe("At this pace you finish around Jan 11, 2027.");
  expect(forecastLine(null, TODAY)).toBeNull();
});

it("a ruler has a tick for each place, half a percent apart at least", () => {
  const log = [day("2026-11-03", 10), day("2026-11-04", null), day("2026-11-05", 5_120), day("2026-11-06", 5_110)];
  expect(ticksOf([...log, day("2026-11-07", 10_000)])).toEqual([0, 5_100, 10_000]);
});

it("the present place stands in the field as it was typed", () => {
  const progress = { at: 5_108, day: "2026-11-10", page: 212 };
  expect(presentPlace(aRead({ progress, pages: 415 }))).toEqual({ unit: "page", place: "212" });
  expect(presentPlace(aRead({ progress, pages: null }))).toEqual({ unit: "percent", place: "51.08" });
  expect(presentPlace(aRead({ progress: { ...progress, page: null }, pages: 415 }))).toEqual({
    unit: "percent",
    place: "51.08",
  });
  expect(presentPlace(aRead({ pages: 415 }))).toEqual({ unit: "page", place: "" });
  expect(presentPlace(aRead())).toEqual({ unit: "percent", place: "" });
});

it("behind the days stand the length, the noted days of an open read, or that a day of the year is unknown", () => {
  const open = aRead({ status: "in-progress", dateCompleted: null, startDate: "2026-11-03" });
  expect([besideDays(open, undefined), besideDays(open, 0), besideDays(open, 1), besideDays(open, 6)]).toEqual([
    null,
    null,
    "1 day noted",
    "6 days noted",
  ]);
  expect(besideDays(aRead({ startDate: "2024-06-14", dateCompleted: "2024-06-16" }), 6)).toBe("3 days");
  expect(besideDays(aRead({ dateCompleted: "2012-12-31", completedFrom: "2012-01-01" }), 0)).toBe(
    "some time that year",
  );
  expect(besideDays(aRead({ dateCompleted: "2012-05-31", completedFrom: "2012-03-01" }), 0)).toBeNull();
});

describe("what a read counts in", () => {
  const rough = (from: string, to: string) => countingOf(aRead({ completedFrom: from, dateCompleted: to }));
  it("says of a rough date between which days it is, and where it counts", () => {
    expect(rough("2024-03-01", "2024-05-31")).toBe(
      "Any day from Mar 1 to May 31, 2024. Counts for 2024; in Words per Month it is shown apart, as “about”.",
    );
    expect(rough("2021-03-01", "2021-03-31")).toBe("Any day from Mar 1 to Mar 31, 2021. Counts for 2021.");
    expect(rough("2019-12-01", "2020-02-29")).toBe(
      "Any day from Dec 1, 2019 to Feb 29, 2020. Counts for no single year; in Words per Month it is shown apart, as “about”.",
    );
    expect(rough("1990-01-01", "1999-12-31")).toContain("no single year; it is in no month of Words per Month.");
    expect(rough("1900-01-01", "2014-12-31")).toContain("Any day up to Dec 31, 2014.");
    expect(rough("2012-01-01", "2012-12-31")).toBeNull();
    expect(countingOf(aRead())).toBeNull();
  });
  it("says it of reads without a date or words, and of no read that is not finished", () => {
    const undated = aRead({ status: "undated", dateCompleted: null });
    expect(countingOf(undated)).toContain("excluded from date-based analytics");
    expect(countingOf({ ...undated, wordCount: 0 })).toContain("Pages × 275");
    expect(countingOf(aRead({ status: "in-progress", dateCompleted: null, wordCount: 0 }))).toBeNull();
  });
});

it("the buttons are about the open read, and otherwise about the newest", () => {
  const [first, second] = [aRead({ id: 1, status: "in-progress" }), aRead({ id: 2 })];
  expect(currentRead([first, second])?.id).toBe(1);
  expect(currentRead([{ ...first, status: "undated" }, second])?.id).toBe(2);
});

it("reads have names, days and lengths", () => {
  expect([readName(0), readName(2), readName(10)]).toEqual(["First read", "Third read", "Read 11"]);
  const span = aRead({ startDate: "2025-06-03", dateCompleted: "2025-06-22" });
  expect([daysOf(span), lengthOf(span)]).toEqual(["Jun 3 - Jun 22, 2025", 20]);
  expect(daysOf(aRead({ startDate: "2024-12-30", dateCompleted: "2025-01-02" }))).toBe("Dec 30, 2024 - Jan 2, 2025");
  expect(daysOf(aRead({ status: "undated", dateCompleted: null }))).toBe("No date");
});

it("a changed rating is compared with the read before", () => {
  const ratings = [
    aRead({ dateCompleted: "2012-05-01", rating: 8 }),
    aRead({ dateCompleted: "2019-07-21", rating: 9 }),
    aRead({ dateCompleted: "2025-06-22", rating: 9.5 }),
  ];
  expect(ratings.map((_, at) => changeOf(ratings, at))).toEqual([null, "8 in 2012, 9 then.", "9 in 2019, 9.5 now."]);
});

it("a rough date of several years is not one of them", () => {
  const before = aRead({ dateCompleted: "2020-12-31", completedFrom: "2018-01-01" });
  const month = aRead({ dateCompleted: "2020-05-31", completedFrom: "2020-03-01" });
  const now = aRead({ rating: 9 });
  expect(changeOf([before, now], 1)).toBe("8 before, 9 now.");
  expect(changeOf([month, now], 1)).toBe("8 in 2020, 9 now.");
});

it("each day of a log has the words read on it, and all together those of the book", () => {
  const days = [day("2026-11-01", 3_333), day("2026-11-02", null), day("2026-11-03", 2_000), day("2026-11-04", 10_000)];
  const rows = logRows(days, 100_001);
  expect(rows.map(({ words }) => words)).toEqual([66_671, null, null, 33_330]);
  expect(rows[0]?.day.day).toBe("2026-11-04");
});

const PAGED = aRead({ pages: 412 });

describe("a typed place", () => {
  const typed = (change: Partial<ReturnType<typeof dayForm>>, isKnown = false) =>
    dayPayload({ ...dayForm(TODAY, PAGED), ...change }, PAGED, isKnown);
  it("is a page or a percentage with at most two decimals", () => {
    expect(typed({ place: "212" })).toEqual({ payload: { page: 212 } });
    expect(typed({ place: "12,34 %", unit: "percent", minutes: "20" })).toEqual({
      payload: { percent: 12.34, minutes: 20 },
    });
    expect(typed({ place: "" })).toEqual({ payload: {} });
  });
  it("clears what is empty in a known day alone", () => {
    expect(typed({ place: "212" }, true)).toEqual({ payload: { page: 212, minutes: null, note: null } });
    expect(typed({ place: "" }, true)).toEqual({ payload: { page: null, minutes: null, note: null } });
  });
  it("is refused beyond the end", () => {
    expect(typed({ place: "413" })).toEqual({ refusals: { place: "This edition has 412 pages." } });
    for (const place of ["101", "12.345", "x"])
      expect(typed({ place, unit: "percent" })).toHaveProperty("refusals.place");
    expect(typed({ minutes: "1441" })).toHaveProperty("refusals.minutes");
    expect(typed({ day: "" })).toHaveProperty("refusals.day");
  });
  it("is a percentage where the edition has no pages, or it was noted as one", () => {
    expect(dayForm(TODAY, aRead()).unit).toBe("percent");
    expect(dayForm(TODAY, PAGED, day(TODAY, 3_050))).toMatchObject({ unit: "percent", place: "30.5" });
    expect(dayForm(TODAY, PAGED, day(TODAY, 3_050, 126))).toMatchObject({ unit: "page", place: "126" });
  });
});

describe("a place in an audiobook with a length", () => {
  const heard = aRead({ format: "Audio", minutes: 750, pages: 300, status: "in-progress", startDate: "2026-11-03" });
  const progress = { at: 2_666, page: null, day: TODAY };
  it("is typed as a time, or as a page or a percentage", () => {
    const form = dayForm(TODAY, heard);
    expect([form.unit, unitsOf(heard)]).toEqual(["time", ["time", "page", "percent"]]);
    expect(dayPayload({ ...form, place: "3:20" }, heard)).toEqual({ payload: { time: "3:20" } });
    expect(dayPayload({ ...form, place: "12:31" }, heard)).toEqual({
      refusals: { place: "This audiobook is 12:30 long." },
    });
    expect(dayPayload({ ...form, place: "3.20" }, heard)).toHaveProperty("refusals.place");
    expect(dayForm(TODAY, heard, { ...day(TODAY, 2_666), time: "3:20" })).toMatchObject({
      unit: "time",
      place: "3:20",
    });
  });
  it("is shown as a time, unless it was noted by page", () => {
    expect(presentPlace({ ...heard, progress })).toEqual({ unit: "time", place: "3:20" });
    expect(summary([{ ...heard, progress }], TODAY)).toBe("Reading since Nov 3. 3:20 of 12:30.");
    expect(placeOf({ at: 5_000, page: 150 }, heard)).toBe("page 150");
    expect(placeOf(progress, { ...heard, format: "Print" })).toBe("26.66%");
  });
});
