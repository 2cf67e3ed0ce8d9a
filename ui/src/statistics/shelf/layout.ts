import type { Format, ShelfBook } from "../../kit/api/types";

/**
 * Where every spine of the shelf stands: books and a width in, places out. Pure, so that the rules can be tested
 * without a browser; the numbers are the design's.
 */

/** What a spine's height shows. */
export type ShelfHeight = "rating" | "format";

export interface ShelfOptions {
  height?: ShelfHeight;
  /** Whether a dashed place for the next book is kept free after the last one. */
  slot?: boolean;
  /** Whether each shelf says its period and its number of books. */
  notes?: boolean;
  /** Room left of the boards in px, 92 on wide stages unless given. */
  margin?: number;
  /** Shelves to aim for, by the number of books unless given. */
  shelves?: number;
  /** Height of the tallest spine in px, by the number of shelves unless given. */
  tallest?: number;
}

/** A spine standing on a shelf; all lengths in px, `x` from the board's left end. */
export interface PlacedSpine {
  book: ShelfBook;
  x: number;
  width: number;
  height: number;
  /** Degrees to the left, when the last book leans on its neighbour. */
  lean: number;
}

/** A mark of the ruler under a board. */
export interface Tick {
  x: number;
  /** Words from the first book up to here. */
  words: number;
  major: boolean;
}

export interface Shelf {
  /** Top of the row, and of its board. */
  y: number;
  base: number;
  spines: PlacedSpine[];
  ticks: Tick[];
  /** Where the slot of the bookend begins that parts undated books from dated ones. */
  bookend: number | null;
  /** The dashed place for the next book. */
  slot: { x: number; width: number; height: number } | null;
}

export interface ShelfLayout {
  shelves: Shelf[];
  /** Room left of the boards for the notes; 0 where they stand below. */
  margin: number;
  /** Length of a board. */
  board: number;
  /** Height of the tallest spine. */
  tallest: number;
  /** px per 1,000 words. */
  scale: number;
  width: number;
  height: number;
}

/** Height of a board in px; the ruler under it takes 24 more. */
export const BOARD = 4;
const RULER = 24;
const HEAD = 12;
const NOTE = 18;
const SLOT = 34;
const BOOKEND = 30;
const LEAN = 5.5;
/** px per 1,000 words of a shelf with room to spare. */
export const MAX_SCALE = 0.46;
const TICK_STEPS = [10e3, 20e3, 50e3, 100e3, 200e3, 500e3, 1e6, 2e6, 5e6, 1e7];

/** Up to so many books stand on one, two, three, four shelves. */
function shelfLimits(board: number): readonly number[] {
  if (board < 560) return [6, 16, 36, 64];
  return board < 900 ? [10, 34, 84, 160] : [14, 64, 150, 280];
}

/** How many shelves to aim for, from the number of books and a board's length. */
export function shelvesAimedAt(books: number, board: number): number {
  const shelves = shelfLimits(board).findIndex((upTo) => books <= upTo) + 1;
  return shelves || Math.max(5, Math.ceil((books * 7.5) / board));
}

function tallestSpine(shelves: number, board: number): number {
  const narrow = board < 560;
  if (shelves <= 2) return narrow ? 150 : 172;
  if (shelves === 3) return narrow ? 140 : 148;
  if (shelves === 4) return narrow ? 128 : 124;
  return narrow ? 96 : 104;
}

const FORMAT_HEIGHT: Record<Format, number> = { Print: 1, eBook: 0.84, Audio: 0.7 };

/** A spine's share of the tallest. */
export function relativeHeight(book: Pick<ShelfBook, "rating" | "format">, by: ShelfHeight): number {
  if (by === "format") return FORMAT_HEIGHT[book.format];
  return book.rating === null ? 0.72 : 0.5 + 0.05 * book.rating;
}

interface Row {
  spines: PlacedSpine[];
  bookend: number | null;
}

/** Stands the books side by side, left to right, and starts a new shelf where one does not fit. */
function pack(books: readonly ShelfBook[], scale: number, gap: number, board: number, firstDated: number) {
  let row: Row = { spines: [], bookend: null };
  const rows = [row];
  let x = 0;
  books.forEach((book, i) => {
    const width = Math.min(Math.max((book.wordCount / 1000) * scale, 3), board * 0.4);
    const before = firstDated > 0 && i === firstDated ? BOOKEND : 0;
    if (x + before + width > board && row.spines.length > 0) {
      row = { spines: [], bookend: null };
      rows.push(row);
      x = 0;
    }
    if (before) {
      row.bookend = x;
      x += before;
    }
    row.spines.push({ book, x, width, height: 0, lean: 0 });
    x += width + gap;
  });
  return { rows, end: x };
}

/**
 * The ruler's marks, interpolated inside each spine so that they stay true across gaps and clamped widths.
 * `goOnAt`, px per 1,000 words, continues them after the last book.
 */
function ruler(row: readonly PlacedSpine[], from: number, step: number, board: number, goOnAt: number | null): Tick[] {
  const minor = step / 5;
  const ticks: Tick[] = [];
  let mark = Math.ceil(from / minor);
  /** False once the board has ended. */
  const put = (x: number) => {
    if (x > board - 1) return false;
    ticks.push({ x, words: mark * minor, major: mark % 5 === 0 });
    mark++;
    return true;
  };
  let words = from;
  for (const { book, x, width } of row) {
    const end = words + book.wordCount;
    while (mark * minor <= end) {
      const share = book.wordCount === 0 ? 0 : (mark * minor - words) / book.wordCount;
      if (!put(x + share * width)) return ticks;
    }
    words = end;
  }
  if (goOnAt !== null) {
    const last = row.at(-1);
    const start = last ? last.x + last.width : 0;
    while (put(start + ((mark * minor - words) / 1000) * goOnAt));
  }
  return ticks;
}

/** Lets the last book lean on its neighbour where there is room for it. */
function lean(row: readonly PlacedSpine[], board: number): void {
  const last = row.at(-1);
  const before = row.at(-2);
  if (!last || !before || row.length <= 2 || last.width >= 64 || board - (last.x + last.width) <= 90) return;
  const angle = (LEAN * Math.PI) / 180;
  const touch = Math.min(last.height, before.height / Math.cos(angle));
  last.lean = LEAN;
  last.x += touch * Math.sin(angle);
}

/** Lays the shelf out for a stage `width` px wide. Books come undated ones first, then oldest first. */
export function layoutShelf(books: readonly ShelfBook[], width: number, options: ShelfOptions = {}): ShelfLayout {
  const { height = "rating", slot = true, notes = true } = options;
  const margin = options.margin ?? (width >= 860 ? 92 : 0);
  const board = width - margin;
  const aim = options.shelves ?? shelvesAimedAt(books.length, board);
  const gap = books.length > 0 && (aim * board) / books.length < 9 ? 1 : 2;
  const slotRoom = slot ? SLOT : 0;
  const firstDated = books.findIndex((book) => book.date !== null);
  const total = books.reduce((sum, book) => sum + book.wordCount, 0);
  const free = aim * board * 0.985 - books.length * gap - slotRoom - (firstDated > 0 ? BOOKEND : 0);
  let scale = total > 0 ? Math.max(0, Math.min(MAX_SCALE, free / (total / 1000))) : MAX_SCALE;

  let packed = pack(books, scale, gap, board, firstDated);
  const tooLong = () => packed.rows.length > aim || (packed.rows.length === aim && packed.end + slotRoom > board);
  for (let i = 0; i < 90 && tooLong(); i++) {
    scale *= 0.988;
    packed = pack(books, scale, gap, board, firstDated);
  }

  const tallest = options.tallest ?? tallestSpine(packed.rows.length, board);
  const step = TICK_STEPS.find((words) => (words / 1000) * scale >= (board < 560 ? 64 : 84)) ?? 1e7;
  const pitch = HEAD + tallest + BOARD + RULER + (margin || !notes ? 0 : NOTE) + (margin ? 14 : 16);
  let words = 0;
  const shelves = packed.rows.map((row, i): Shelf => {
    const isLast = i === packed.rows.length - 1;
    for (const spine of row.spines) spine.height = tallest * relativeHeight(spine.book, height);
    const ticks = ruler(row.spines, words, step, board, isLast && scale > 0 ? scale : null);
    words += row.spines.reduce((sum, { book }) => sum + book.wordCount, 0);
    if (isLast) lean(row.spines, board);
    const last = row.spines.at(-1);
    const end = last ? last.x + last.width : 0;
    const free = isLast && slot && board - end >= SLOT;
    const place = free ? { x: end + (last ? 8 : 0), width: 24, height: tallest * 0.8 } : null;
    return {
      y: i * pitch,
      base: i * pitch + HEAD + tallest,
      spines: row.spines,
      ticks,
      bookend: row.bookend,
      slot: place,
    };
  });
  const drawn = shelves.length * pitch - (margin ? 14 : 16);
  return { shelves, margin, board, tallest, scale, width, height: drawn };
}

/** The book above or below another, nearest to it sideways; null at the first and last shelf. */
export function neighbour(layout: ShelfLayout, id: number, direction: "up" | "down"): number | null {
  const row = layout.shelves.findIndex((shelf) => shelf.spines.some(({ book }) => book.id === id));
  const here = layout.shelves[row]?.spines.find(({ book }) => book.id === id);
  const there = layout.shelves[row + (direction === "down" ? 1 : -1)];
  if (!here || !there) return null;
  const middle = (spine: PlacedSpine) => spine.x + spine.width / 2;
  const distance = (spine: PlacedSpine) => Math.abs(middle(spine) - middle(here));
  return there.spines.reduce((a, b) => (distance(b) < distance(a) ? b : a)).book.id;
}

/** A ruler's number: 0, 500K, 1.5M. */
export function tickLabel(words: number): string {
  if (words >= 1e6) return `${(words / 1e6).toFixed(words % 1e6 ? 1 : 0)}M`;
  return words === 0 ? "0" : `${words / 1e3}K`;
}
