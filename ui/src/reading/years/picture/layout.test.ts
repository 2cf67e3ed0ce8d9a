import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ShelfBook } from "../../../kit/api/types";
import type { Blue } from "../../../kit/spine/blue";
import { type Box, layoutPicture, type Part, SIZES, type Size } from "./layout";
import { lengthOf, type Measure, runsOf, shiftOf } from "./lettering";
import { type Colour, PALETTES } from "./palette";

/** Wider than the real fonts. */
const measure: Measure = (text, _, size) => Array.from(text).length * size * 0.58;

const TITLES = [
  "Emma",
  "The Murder of Roger Ackroyd",
  "Tomorrow, and Tomorrow, and Tomorrow",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
  "吾輩は猫である",
  "海辺のカフカ（上）",
  "ألف ليلة وليلة",
  "The Personal History, Adventures, Experience and Observation of David Copperfield the Younger",
];

const books = (count: number, titles = TITLES): ShelfBook[] =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    title: titles[i % titles.length] ?? "",
    author: "A",
    wordCount: 20_000 + ((i * 37_717) % 300_000),
    rating: i % 3 === 0 ? null : (i * 7) % 11,
    format: "Print",
    genres: [],
    startDate: null,
    date: "2026-01-01",
    completedFrom: null,
    reread: i % 5 === 0,
  }));

const FIGURES = [
  ["Books", "10,000"],
  ["Words", "999.9M"],
  ["Average rating", "10.0"],
  ["New authors", "9,999"],
] as const;

function parts(size: Size, count: number, title = "September 2026", hasNames = true, titles = TITLES): Part[] {
  const blueOf = (book: ShelfBook) => ((book.id % 6) + 1) as Blue;
  const subtitle = "in books, until September 30";
  return layoutPicture(
    size,
    { title, subtitle, figures: FIGURES, books: books(count, titles), blueOf, hasNames },
    measure,
  );
}

/** How far type reaches above and below the baseline, as shares of the size. Digits and capitals have nothing below it. */
const ABOVE = 0.8;
const BELOW = 0.24;
const hasDescender = (text: string) => !/^[\p{Lu}\p{N}\s.]*$/u.test(text);

/** The box that a part covers. */
function boxOf(part: Part): Box {
  if (part.kind === "block") return part;
  if (part.kind === "spine") {
    const length = lengthOf(part.text, part.size, measure);
    return { x: part.x - part.size / 2, y: part.y, width: part.size, height: length };
  }
  const { text, face, size, align, y } = part;
  const width = measure(text, face, size);
  const x = align === "right" ? part.x - width : part.x;
  return { x, y: y - size * ABOVE, width, height: size * (ABOVE + (hasDescender(text) ? BELOW : 0)) };
}

const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width - 0.01 &&
  b.x < a.x + a.width - 0.01 &&
  a.y < b.y + b.height - 0.01 &&
  b.y < a.y + a.height - 0.01;

describe.each(Object.keys(SIZES) as Size[])("the picture %s", (size) => {
  const { width, height } = SIZES[size];

  it.each([1, 2, 3, 10, 30, 41, 91, 150, 500])("keeps %i books and all texts inside, one beside the other", (count) => {
    for (const title of ["2026", "September 2026"]) {
      const all = parts(size, count, title);
      const spines = all.filter((part) => part.kind === "block" && part.fill.startsWith("data-"));
      expect(spines).toHaveLength(count);
      for (const part of all) {
        const box = boxOf(part);
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
        if (part.kind === "line") expect(box.width).toBeLessThanOrEqual(part.room);
      }
      const lines = all.filter((part) => part.kind === "line").map((part) => boxOf(part));
      for (const [i, one] of lines.entries()) {
        expect(lines.slice(i + 1).filter((other) => overlaps(one, other))).toEqual([]);
        expect(spines.filter((spine) => overlaps(one, boxOf(spine)))).toEqual([]);
      }
      for (const [i, one] of spines.entries()) {
        expect(spines.slice(i + 1).filter((other) => overlaps(boxOf(one), boxOf(other)))).toEqual([]);
      }
    }
  });

  it("ends the lines of a title that is read from right to left at one height", () => {
    const lines = parts(size, 3, "2026", true, ["موسم الهجرة إلى الشمال"]).filter((part) => part.kind === "spine");
    expect(lines.length).toBeGreaterThan(3);
    const ends = lines.map((line) => [line.within.x, Math.round(boxOf(line).y + boxOf(line).height)].join());
    expect(new Set(ends).size).toBe(3);
    const starts = parts(size, 3, "2026", true, ["Tomorrow, and Tomorrow, and Tomorrow"]).filter(
      (part) => part.kind === "spine",
    );
    expect(new Set(starts.map((line) => [line.within.x, line.y].join())).size).toBe(3);
  });

  it("writes whole words of a title on its spine, or nothing", () => {
    const lettered = [3, 30, 150].flatMap((count) => parts(size, count)).filter((part) => part.kind === "spine");
    expect(lettered.length).toBeGreaterThan(20);
    const words = new Set(
      TITLES.flatMap((title) => title.split(" ")).flatMap((word) => [word, word.replace(/\p{P}+$/u, "")]),
    );
    for (const line of lettered) {
      const box = boxOf(line);
      expect(box.x).toBeGreaterThanOrEqual(line.within.x);
      expect(box.x + box.width).toBeLessThanOrEqual(line.within.x + line.within.width);
      expect(box.y + box.height).toBeLessThanOrEqual(line.within.y + line.within.height);
      // A line may end between Japanese characters.
      const isLatinOrArabic = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(line.text);
      if (isLatinOrArabic) {
        expect(
          line.text
            .replace(/…$/, "")
            .split(" ")
            .filter((word) => !words.has(word)),
        ).toEqual([]);
      }
    }
  });

  it("ends no line of a Japanese title with an opening bracket, and begins none with a closing mark", () => {
    for (const title of [
      "海辺のカフカ（上）",
      "羅生門「新訳」",
      "君たちは、どう生きるか？",
      "「あの」子は、（誰）。",
    ]) {
      for (const count of [3, 10, 30]) {
        const lines = parts(size, count, "2026", true, [title]).filter((part) => part.kind === "spine");
        for (const { text } of lines) {
          expect(text).not.toMatch(/[（「]$/);
          expect(text).not.toMatch(/^[、。？）」]/);
        }
      }
    }
  });

  it("has no titles when they are switched off", () => {
    expect(parts(size, 3, "2026", false).filter((part) => part.kind === "spine")).toEqual([]);
  });
});

it("stands full-width characters and marks upright, and sets small kana and stops in the upper right", () => {
  expect(runsOf("１Ｑ８４、どうだ！？（上）ー")).toEqual([
    { text: "１Ｑ８４、どうだ！？", upright: true },
    { text: "（", upright: false },
    { text: "上", upright: true },
    { text: "）ー", upright: false },
  ]);
  for (const character of "っょァヶ、。") {
    const [right, down] = shiftOf(character);
    expect([right > 0, down < 0]).toEqual([true, true]);
  }
  expect(Array.from("つよア字Ｑ？").map(shiftOf)).toEqual(Array(6).fill([0, 0]));
});

it("the colours are those of the pages", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../../../kit/styles/tokens.css"), "utf8");
  for (const [name, light] of Object.entries(PALETTES.light)) {
    const dark = PALETTES.dark[name as Colour];
    expect(tokens, name).toContain(`--${name}: light-dark(${light}, ${dark});`);
  }
});
