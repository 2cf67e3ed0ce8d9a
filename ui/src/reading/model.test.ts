import { expect, it } from "vitest";
import type { Goal } from "../kit/api/types";
import { daysLeft, dayText, goalName, goalSentence, inHandSentence, levelOf, monthLine } from "./model";

const TODAY = "2025-11-18";

const goal = (more: Partial<Goal> = {}): Goal => ({
  period: "2025",
  metric: "books",
  target: 40,
  rereads: true,
  value: 32,
  expected: 35,
  ahead: -3,
  remaining: 8,
  inHand: null,
  withoutPages: null,
  ...more,
});

it("a goal says how far behind or ahead it is and what is left, unless the pace is hidden", () => {
  expect(goalName(goal(), TODAY)).toBe("Books in 2025");
  expect(goalName(goal({ period: "2025-11" }), TODAY)).toBe("Books in November");
  expect(goalName(goal({ period: "2024-02", metric: "words" }), TODAY)).toBe("Words in February 2024");
  expect(goalSentence(goal(), TODAY, true)).toBe("3 books behind schedule. 8 left in 43 days, one every 5 days.");
  expect(goalSentence(goal(), TODAY, false)).toBe("8 left in 43 days.");
  expect(goalSentence(goal({ ahead: 1 }), TODAY, true)).toContain("1 book ahead of schedule.");
  expect(goalSentence(goal({ ahead: 0, remaining: 90 }), TODAY, true)).toBe(
    "On schedule. 90 left in 43 days, 3 a day.",
  );
  expect(goalSentence(goal({ remaining: 0, value: 40 }), TODAY, true)).toBe(
    "40 of 40. Everything from here is for pleasure.",
  );
  const words = goal({ metric: "words", target: 4_000_000, value: 3_861_361, remaining: 138_639, ahead: 332_600 });
  expect(goalSentence(words, TODAY, true)).toBe("332.6K words ahead of schedule. 138.6K words left in 43 days.");
  expect(goalSentence(goal({ remaining: 26 }), TODAY, false)).toBe("26 left in 43 days.");
  expect(goalSentence(goal({ remaining: 26 }), TODAY, true)).toContain("26 left in 43 days, almost one a day.");
  expect(goalSentence(goal({ remaining: 43 }), TODAY, true)).toContain("43 left in 43 days, one a day.");
  expect(goalSentence(goal(), "2025-12-31", false)).toBe("8 left today.");
  expect(goalSentence(goal({ metric: "pages", remaining: 1 }), TODAY, false)).toBe("1 page left in 43 days.");
  expect(goalSentence({ ...words, remaining: 1 }, "2025-12-31", false)).toBe("1 word left today.");
});

it("what is read of open books is named only while something is left", () => {
  const words = goal({ metric: "words", inHand: 233_900 });
  expect(inHandSentence(words)).toBe("Plus 233.9K words in books you're still reading.");
  expect(inHandSentence({ ...words, inHand: 1 })).toBe("Plus 1 word in books you're still reading.");
  expect([inHandSentence({ ...words, remaining: 0 }), inHandSentence(goal())]).toEqual([null, null]);
});

it("the days left are those after today, also in a leap year", () => {
  expect([daysLeft("2026", "2026-07-01"), daysLeft("2024-02", "2024-02-01"), daysLeft("2025", TODAY)]).toEqual([
    183, 28, 43,
  ]);
});

it("a day of the calendar says amount, minutes, books and what was finished", () => {
  const day = { day: TODAY, words: 12_000, pages: 48, minutes: 45, books: [1] };
  const titleOf = (id: number) => `Book ${id}`;
  expect(dayText(day, ["Emma"], titleOf)).toBe("12,000 words, 45 minutes, Book 1. Finished Emma");
  expect(dayText({ ...day, words: null, minutes: null }, [], titleOf)).toBe("read, amount not known, Book 1");
  expect([dayText(undefined, ["Emma"], titleOf), dayText(undefined, [], titleOf)]).toEqual([
    "Finished Emma",
    "nothing noted",
  ]);
  expect([4_499, 4_500, 9_000, 16_000, null].map((words) => levelOf({ words }))).toEqual([1, 2, 3, 4, 0]);
  expect(monthLine([day, { ...day, words: null }])).toBe("2 days, 12.0K");
});
