import { expect, it } from "vitest";
import {
  counted,
  dateOf,
  dateSpan,
  instantDate,
  instantTime,
  longDate,
  longMonth,
  percent,
  short,
  shortened,
  whole,
} from "./format";

it.each([
  [0, "0"],
  [7, "7"],
  [999, "999"],
  [1_000, "1.0K"],
  [1_049, "1.0K"],
  [1_050, "1.1K"],
  [12_345, "12.3K"],
  [999_949, "999.9K"],
  [999_999, "999.9K"],
  [1_000_000, "1.0M"],
  [1_049_999, "1.0M"],
  [1_050_000, "1.1M"],
  [123_456_789, "123.5M"],
])("%i is shortened to %s", (value, expected) => {
  expect(short(value)).toBe(expected);
});

it("a shortened number keeps its unit apart", () => {
  expect(shortened(3_861_361)).toEqual({ value: "3.9", unit: "M" });
  expect(shortened(62)).toEqual({ value: "62", unit: "" });
});

it("whole numbers have thousands separators", () => {
  expect(whole(1_234_567)).toBe("1,234,567");
});

it("one thing is counted in the singular, none and many in the plural", () => {
  expect([0, 1, 1_204].map((n) => counted(n, "book"))).toEqual(["0 books", "1 book", "1,204 books"]);
});

it("a share has one decimal, and nothing of nothing is nothing", () => {
  expect(percent(1, 3)).toBe("33.3%");
  expect(percent(0, 0)).toBe("0.0%");
});

it("a calendar date is the same day in every time zone", () => {
  expect(longDate("2025-03-01")).toBe("Mar 1, 2025");
  expect(longDate("1900-12-31")).toBe("Dec 31, 1900");
});

it("a span names the year once, that of its end", () => {
  expect(dateSpan("2025-03-28", "2025-04-07")).toBe("Mar 28 - Apr 7, 2025");
  expect(dateSpan("2024-12-30", "2025-01-02")).toBe("Dec 30 - Jan 2, 2025");
});

it("a month is named in full", () => {
  expect(longMonth("2026-01")).toBe("Jan 2026");
});

it("an instant falls on the day that it is in the given zone", () => {
  const instant = "2025-12-31T23:30:00Z";
  expect(dateOf(instant, "UTC")).toBe("2025-12-31");
  expect(dateOf(instant, "Europe/Amsterdam")).toBe("2026-01-01");
  expect(dateOf(instant, "America/Los_Angeles")).toBe("2025-12-31");
  expect(instantDate(instant, "Pacific/Auckland")).toBe("Jan 1, 2026");
});

it("the time of an instant has 24 hours", () => {
  expect(instantTime("2025-12-31T23:30:00Z", "Europe/Amsterdam")).toBe("Jan 1, 2026, 00:30");
  expect(instantTime("2025-12-31T13:05:59Z", "UTC")).toBe("Dec 31, 2025, 13:05");
});
