import type { ShelfBook } from "../../../kit/api/types";
import { isRightToLeft } from "../../../kit/direction";
import type { Blue } from "../../../kit/spine/blue";
import { heightOf } from "../../../kit/spine/size";
import { type Face, LEADING, lengthOf, type Measure, titleOn } from "./lettering";
import type { Colour } from "./palette";

/** The places of everything in the picture of a period. Pure, so that it can be tested without a canvas. All lengths are in px. */

export type Size = "post" | "story" | "wide";

export const SIZES: Readonly<Record<Size, { width: number; height: number; name: string }>> = {
  post: { width: 1080, height: 1350, name: "Post" },
  story: { width: 1080, height: 1920, name: "Story" },
  wide: { width: 1200, height: 630, name: "Wide" },
};

/** What the picture says. */
export interface Content {
  title: string;
  subtitle: string;
  /** Label and value, the most important first. */
  figures: readonly (readonly [label: string, value: string])[];
  books: readonly ShelfBook[];
  blueOf: (book: ShelfBook) => Blue;
  hasNames: boolean;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A filled rectangle. */
export interface Block extends Box {
  kind: "block";
  fill: Colour;
  radius: number;
}

/** A text on one line, from its left or right end on the baseline. */
export interface Line {
  kind: "line";
  text: string;
  x: number;
  y: number;
  face: Face;
  size: number;
  fill: Colour;
  align: "left" | "right";
  /** The room that the text must keep to. */
  room: number;
}

/** A line of a title down a spine: `x` is the middle of the line, `y` its start. */
export interface SpineLine {
  kind: "spine";
  text: string;
  x: number;
  y: number;
  size: number;
  fill: Colour;
  /** The spine that the line must stay in. */
  within: Box;
}

export type Part = Block | Line | SpineLine;

/** Free room at the edges. */
const MARGIN = 84;
const MARGIN_WIDE = 64;
/** The thinnest spine, and the thickest as a share of the board. */
const THINNEST = 4;
const THICKEST = 0.4;
/** The width of a book's ribbon, and how far it stands out. */
const RIBBON = 10;
/** Spines from this width on have a title; it begins this far from the head and ends as far from the foot. */
const TITLE_FROM = 26;
const TITLE_EDGE = 22;
/** The largest type of a title, on a shelf of few books and of more. */
const FEW = 9;
const LARGEST_OF_FEW = 40;
const LARGEST = 26;
/** The most px for each book on a shelf of few. */
const FEW_ROOM = 190;

/** Every part of the picture, in the order of drawing. */
export function layoutPicture(size: Size, content: Content, measure: Measure): Part[] {
  const { width, height } = SIZES[size];
  const wide = size === "wide";
  const margin = wide ? MARGIN_WIDE : MARGIN;
  const inner = width - 2 * margin;
  const head = headOf(size, content, measure, margin);
  const figures = figuresOf(size, content, measure, margin);
  const shelf: Box = wide
    ? { x: margin, y: head.bottom + 40, width: inner, height: height - margin - 44 - (head.bottom + 40) }
    : { x: margin, y: head.bottom + 58, width: inner, height: figures.top - 70 - (head.bottom + 58) };
  const foot = height - margin + (wide ? 22 : 14);
  return [
    ...head.parts,
    ...figures.parts,
    ...shelfOf(size, content, measure, shelf),
    fitted(
      {
        text: "Thickness is words, height is rating.",
        x: margin,
        y: foot,
        face: "line",
        size: wide ? 19 : 24,
        fill: "ink-3",
      },
      inner * 0.7,
      measure,
    ),
    {
      ...fitted(
        { text: "Shelfwise", x: width - margin, y: foot, face: "name", size: wide ? 21 : 26, fill: "ink-2" },
        inner * 0.28,
        measure,
      ),
      align: "right",
    },
  ];
}

/** A line that shrinks until it fits its room. */
function fitted(line: Pick<Line, "text" | "x" | "y" | "face" | "size" | "fill">, room: number, measure: Measure): Line {
  let { size } = line;
  while (size > 8 && measure(line.text, line.face, size) > room) size -= 1;
  return { ...line, kind: "line", size, align: "left", room };
}

/** The period, large, and one line below it. */
function headOf(size: Size, { title, subtitle }: Content, measure: Measure, margin: number) {
  const wide = size === "wide";
  const inner = SIZES[size].width - 2 * margin;
  const room = wide ? inner - FIGURES_WIDE - 40 : inner;
  const largest = { post: 168, story: 196, wide: 104 }[size];
  const y = { post: margin + 128, story: margin + 196, wide: margin + 70 }[size];
  const name = fitted(
    { text: title, x: margin - (wide ? 3 : 6), y, face: "title", size: largest, fill: "ink" },
    room,
    measure,
  );
  const below = fitted(
    { text: subtitle, x: margin, y: y + (wide ? 44 : 62), face: "line", size: wide ? 27 : 36, fill: "ink-2" },
    room,
    measure,
  );
  return { parts: [name, below], bottom: y + (wide ? 44 : 62) };
}

/** The width of the figures beside the name of the period, in the wide picture. */
const FIGURES_WIDE = 560;

/** Three or four figures below a double rule. */
function figuresOf(size: Size, { figures }: Content, measure: Measure, margin: number) {
  const { width, height } = SIZES[size];
  const wide = size === "wide";
  const shown = figures.slice(0, wide ? 3 : 4);
  const columns = wide || shown.length === 3 ? 3 : 2;
  const rowHeight = wide ? 104 : 150;
  const box = wide
    ? { x: width - margin - FIGURES_WIDE, width: FIGURES_WIDE, y: margin - 6 }
    : { x: margin, width: width - 2 * margin, y: height - margin - 54 - Math.ceil(shown.length / columns) * rowHeight };
  const block = (x: number, y: number, w: number, h: number, fill: Colour): Block => ({
    kind: "block",
    x,
    y,
    width: w,
    height: h,
    fill,
    radius: 0,
  });
  const parts: Part[] = [
    block(box.x, box.y, box.width, wide ? 3 : 4, "ink"),
    block(box.x, box.y + (wide ? 5 : 7), box.width, wide ? 1.5 : 2, "ink"),
  ];
  const column = box.width / columns;
  for (const [i, [label, value]] of shown.entries()) {
    const isFirst = i % columns === 0;
    const x = box.x + (i % columns) * column + (isFirst ? 0 : 28);
    const y = box.y + Math.floor(i / columns) * rowHeight;
    const room = column - (isFirst ? 12 : 40);
    parts.push(
      fitted(
        { text: label, x, y: y + (wide ? 44 : 56), face: "label", size: wide ? 20 : 26, fill: "ink-2" },
        room,
        measure,
      ),
      fitted(
        { text: value, x, y: y + (wide ? 94 : 124), face: "numeral", size: wide ? 46 : 64, fill: "ink" },
        room,
        measure,
      ),
    );
    if (!isFirst) parts.push(block(x - 28, y + 22, 2, rowHeight - 36, "rule-2"));
  }
  return { parts, top: box.y };
}

/** The number of shelves for a number of books. */
function shelvesFor(size: Size, books: number): number {
  if (size === "wide") return books > 90 ? 2 : 1;
  if (books > 100) return 4;
  if (books > 40) return 3;
  return books > 9 ? 2 : 1;
}

interface Placed {
  book: ShelfBook;
  x: number;
  width: number;
}

/** The books on their boards. */
function shelfOf(size: Size, content: Content, measure: Measure, box: Box): Part[] {
  const { books } = content;
  const wide = size === "wide";
  const shelves = shelvesFor(size, books.length);
  const between = wide ? 34 : 44;
  const row = Math.min((box.height - between * (shelves - 1)) / shelves, wide ? 330 : 460);
  const tallest = row - 16;
  const rows = packed(books, box.width, shelves);
  const used = rows.length * row + (rows.length - 1) * between;
  const top = box.y + Math.max(0, (box.height - used) / (wide ? 1 : 2));
  return rows.flatMap((placed, i) => {
    const base = top + i * (row + between) + row - 6;
    const board: Block = {
      kind: "block",
      x: box.x,
      y: base,
      width: box.width,
      height: wide ? 6 : 8,
      fill: "board",
      radius: 0,
    };
    return [...placed.flatMap((one) => spineOf(one, content, measure, box.x, base, tallest)), board];
  });
}

/** Puts the books on at most so many boards, to one scale. */
function packed(books: readonly ShelfBook[], board: number, shelves: number): Placed[][] {
  const gap = books.length > 150 ? 1 : books.length > 60 ? 2 : 4;
  const thinnest = Math.min(THINNEST, Math.max(0.5, (board * shelves * 0.9) / books.length - gap));
  const words = Math.max(
    1,
    books.reduce((sum, { wordCount }) => sum + wordCount, 0),
  );
  const most = books.length < 4 ? books.length * FEW_ROOM : Number.POSITIVE_INFINITY;
  let scale = Math.min(shelves * board * 0.97 - books.length * gap, most) / words;
  const pack = () => {
    const rows: Placed[][] = [[]];
    let x = 0;
    for (const book of books) {
      const width = Math.max(thinnest, Math.min(board * THICKEST, book.wordCount * scale));
      if (x + width > board && rows.at(-1)?.length) {
        rows.push([]);
        x = 0;
      }
      rows.at(-1)?.push({ book, x, width });
      x += width + gap;
    }
    return rows;
  };
  let rows = pack();
  for (let attempts = 0; rows.length > shelves && attempts < 400; attempts++) {
    scale *= 0.985;
    rows = pack();
  }
  return rows;
}

/** A spine with its title and ribbon. */
function spineOf(
  { book, x, width }: Placed,
  content: Content,
  measure: Measure,
  left: number,
  base: number,
  tallest: number,
) {
  const { rating, reread, title } = book;
  const height = tallest * heightOf(rating);
  const blue = content.blueOf(book);
  const spine: Box = { x: left + x, y: base - height, width, height };
  const body: Block = { kind: "block", ...spine, fill: `data-${blue}`, radius: width < 8 ? 1 : 3 };
  const parts: Part[] = [];
  if (reread && width >= RIBBON) {
    // The ribbon stands behind the spine, so that only its end is seen above the head.
    const ribbon = Math.min(RIBBON, width * 0.4);
    const at = spine.x + width - Math.min(2 * RIBBON, width * 0.5);
    parts.push({
      kind: "block",
      x: at,
      y: spine.y - RIBBON,
      width: ribbon,
      height: 2 * RIBBON,
      fill: "ribbon",
      radius: 0,
    });
  }
  parts.push(body);
  if (!content.hasNames || width < TITLE_FROM) return parts;
  const lettering = titleOn(
    title,
    width,
    height - 2 * TITLE_EDGE,
    content.books.length <= FEW ? LARGEST_OF_FEW : LARGEST,
    measure,
  );
  if (!lettering) return parts;
  const { lines, size } = lettering;
  const lengths = lines.map((line) => lengthOf(line, size, measure));
  const longest = Math.max(...lengths);
  for (const [i, text] of lines.entries()) {
    // The first of several lines is the right one, as the head of a turned line is at the right.
    const middle = spine.x + width / 2 + ((lines.length - 1) / 2 - i) * size * LEADING;
    parts.push({
      kind: "spine",
      text,
      x: middle,
      // Lines that are read from right to left begin at the foot, one above the other.
      y: spine.y + TITLE_EDGE + (isRightToLeft(title) ? longest - (lengths[i] ?? 0) : 0),
      size,
      fill: `on-data-${blue}`,
      within: spine,
    });
  }
  return parts;
}
