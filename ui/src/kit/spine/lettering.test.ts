import { expect, it } from "vitest";
import { letteringOf, type SpineBook, surname } from "./lettering";

/** Every character is half as wide as the font size, so that the arithmetic can be followed. */
const measure = (text: string, size: number) => text.length * size * 0.5;
const book: SpineBook = {
  title: "Piranesi",
  author: "Susanna Clarke",
  wordCount: 68_200,
  rating: 9,
  format: "Print",
  reread: false,
};

it.each([
  ["Ursula K. Le Guin", "Le Guin"],
  ["Honoré de Balzac", "de Balzac"],
  ["Le Guin", "Guin"],
  ["Homer", "Homer"],
  ["Kurt Vonnegut Jr.", "Vonnegut"],
  ["Martin Luther King, Jr.", "King"],
  ["Henry Louis Gates III", "Gates"],
  ["村上 春樹", "村上"],
  ["", ""],
  [null, ""],
])("the surname of %s is %s", (name, expected) => {
  expect(surname(name)).toBe(expected);
});

it("a thin spine is bare", () => {
  expect(letteringOf(book, 14.4, 150, measure)).toBeNull();
});

it("a title that fits is on one line, with the surname at the foot of a spine from 19 px", () => {
  expect(letteringOf(book, 20, 172, measure)).toMatchObject({ lines: [{ text: "Piranesi" }], who: { text: "Clarke" } });
  expect(letteringOf(book, 18, 172, measure)?.who).toBeNull();
});

it("a long title shrinks before it wraps", () => {
  const text = letteringOf({ ...book, title: "x".repeat(24) }, 33, 172, measure);
  expect(text?.lines).toHaveLength(1);
  expect(text?.size).toBeLessThan(13);
});

it("a longer title is on up to three lines of a thick spine", () => {
  const text = letteringOf({ ...book, title: "Tomorrow, and Tomorrow, and Tomorrow" }, 62, 150, measure);
  expect(text?.lines.map((line) => line.text).join(" ")).toBe("Tomorrow, and Tomorrow, and Tomorrow");
  expect(text?.lines.length).toBeGreaterThan(1);
});

it("a title without spaces is on several lines, none of which begins with a closing mark", () => {
  const title = "ノルウェイの森「完全版」上下巻セット記念愛蔵版";
  for (let height = 120; height < 220; height += 4) {
    const lines = letteringOf({ ...book, title }, 80, height, (text, size) => text.length * size)?.lines ?? [];
    expect(lines.map((line) => line.text).join("")).toBe(title);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter(({ text }) => /^[」ー]/.test(text))).toEqual([]);
  }
});

it("a title that fits nowhere is cut with an ellipsis, or left out on a low spine", () => {
  const long = { ...book, title: "Supercalifragilisticexpialidocious and more" };
  expect(letteringOf(long, 16, 150, measure)?.lines[0]?.text).toMatch(/…$/);
  expect(letteringOf(long, 16, 110, measure)).toBeNull();
});
