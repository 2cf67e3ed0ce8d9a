import type { Format, ShelfBook } from "../../kit/api/types";
import { heightOf } from "../../kit/spine/size";

/**
 * The positions of all spines on the shelf, from the books and a width. Pure, so that the rules can be tested without a
 * browser; the numbers are the design's.
 */

/** What a spine's height shows. */
export type ShelfHeight = "rating" | "format";

export interface ShelfOptions {
  height?: ShelfHeight;
  /** Whether a dashed place for the next book is kept free after the last one. */
  slot?: boolean;
  /** Whether each shelf shows its period and its number of books. */
  notes?: boolean;
  /** Words of the books before the first one, from which the ruler goes on; 0 unless given. */
  start?: number;
  /** Room left of the boards in px; 92 on wide stages unless given. */
  margin?: number;
  /** Unfinished books, which stand behind a bookend after the last one and are not on the ruler. */
  unfinished?: readonly PartBook[];
  /** The number of shelves to aim for; it depends on the number of books unless given. */
  shelves?: number;
  /** Height of the tallest spine in px; it depends on the number of shelves unless given. */
  tallest?: number;
}

/** A spine on a shelf. All lengths are in px, `x` from the board's left end. */
export interface PlacedSpine {
  book: ShelfBook;
  x: number;
  width: number;
  height: number;
  /** Degrees to the left, when the last book leans on its neighbour. */
  lean: number;
}

/** A book that is not finished. */
export interface PartBook {
  book: ShelfBook;
  /** The share that was read, 0 to 1. */
  share: number;
}

/** A mark of the ruler below a board. */
export interface Tick {
  x: number;
  /** Words from the first book to this mark. */
  words: number;
  major: boolean;
}

export interface Shelf {
  /** Top of the row. */
  y: number;
  base: number;
  spines: PlacedSpine[];
  ticks: Tick[];
  /** The left edge of the bookend between undated and dated books; null without one. */
  bookend: number | null;
  /** Unfinished books behind the finished ones, and the left edge of the bookend before the first of them. */
  unfinished: (PlacedSpine & PartBook)[];
  unfinishedBookend: number | null;
  /** The dashed place for the next book. */
  slot: { x: number; width: number; height: number } | null;
}

export interface ShelfLayout {
  shelves: Shelf[];
  /** Room left of the boards for the notes; 0 when they are below. */
  margin: number;
  /** Length of a board. */
  board: number;
  /** Height of the tallest spine. */
  tallest: number;
  /** px per 1,000 words. */
  scale: number;
  /** From the top of one shelf to the top of the next. */
  pitch: number;
  width: number;
  height: number;
}

/** Height of a board in px. */
export const BOARD = 4;
/** Height of the ruler below a board in px. */
const RULER = 24;
/** Room in px above the tallest spine. */
const HEAD = 12;
/** Height in px of the notes below a ruler, on stages without a margin. */
const NOTE = 18;
/** Space in px between two shelves, with and without a margin for notes. */
const SHELF_GAP = { withMargin: 14, withoutMargin: 16 };
/** A stage of at least this width in px has a margin for notes, which is that wide. */
const MARGIN_FROM = 860;
const MARGIN = 92;
/** A board shorter than this in px is narrow, and one from the second length on is wide. */
const NARROW_BELOW = 560;
const WIDE_FROM = 900;
/** The dashed place for the next book: the room that it needs, its distance from the last book and its width, in px. */
const SLOT = 34;
const SLOT_GAP = 8;
const SLOT_WIDTH = 24;
/** Height of that place, as a share of the tallest spine. */
const SLOT_HEIGHT = 0.8;
/** Room in px of a bookend. */
const BOOKEND = 30;
/** Thickness of a spine: the minimum in px, and the maximum as a share of the board. */
const THINNEST = 3;
const THICKEST_SHARE = 0.4;
/** Space in px between two books, and the smaller one on shelves with less room for each book than `CROWDED_BELOW` px. */
const GAP = 2;
const CROWDED_GAP = 1;
const CROWDED_BELOW = 9;
/** The last book leans by this many degrees, when it is thinner than `LEAN_BELOW` px and has `LEAN_ROOM` px beside it. */
const LEAN = 5.5;
const LEAN_BELOW = 64;
const LEAN_ROOM = 90;
/** px per 1,000 words of a shelf with room to spare. */
export const MAX_SCALE = 0.46;
/** The share of the boards that the first attempt fills. */
const FILL = 0.985;
/** While the books need too many shelves, the scale is multiplied by this factor, at most so many times. */
const SHRINK = 0.988;
const MAX_ATTEMPTS = 90;
/** Words between two labelled marks: the first step that is wide enough in px is used. */
const TICK_STEPS = [10e3, 20e3, 50e3, 100e3, 200e3, 500e3, 1e6, 2e6, 5e6, 1e7];
const TICK_ROOM = { narrow: 64, wide: 84 };
/** Parts of a step, each with a mark. */
const MARKS_PER_STEP = 5;
/** px of the board for each book on five and more shelves. */
const ROOM_PER_BOOK = 7.5;

/** The number of books that fit on one, two, three and four shelves, by the board's length. */
const SHELF_LIMITS = {
  narrow: [6, 16, 36, 64],
  medium: [10, 34, 84, 160],
  wide: [14, 64, 150, 280],
} as const;

/** Height of the tallest spine in px on one to four shelves, and on more. */
const TALLEST = {
  narrow: { upTo: [150, 150, 140, 128], more: 96 },
  wide: { upTo: [172, 172, 148, 124], more: 104 },
} as const;

/** A spine's share of the tallest by format. */
const FORMAT_HEIGHT: Record<Format, number> = { Print: 1, eBook: 0.84, Audio: 0.7 };

function shelfLimits(board: number): readonly number[] {
  if (board < NARROW_BELOW) return SHELF_LIMITS.narrow;
  return board < WIDE_FROM ? SHELF_LIMITS.medium : SHELF_LIMITS.wide;
}

/** The number of shelves to aim for, from the number of books and a board's length. */
export function shelvesAimedAt(books: number, board: number): number {
  const shelves = shelfLimits(board).findIndex((upTo) => books <= upTo) + 1;
  return shelves || Math.max(5, Math.ceil((books * ROOM_PER_BOOK) / board));
}

function tallestSpine(shelves: number, board: number): number {
  const { upTo, more } = board < NARROW_BELOW ? TALLEST.narrow : TALLEST.wide;
  return upTo[shelves - 1] ?? more;
}

/** A spine's share of the tallest. */
export function relativeHeight(book: Pick<ShelfBook, "rating" | "format">, by: ShelfHeight): number {
  return by === "format" ? FORMAT_HEIGHT[book.format] : heightOf(book.rating);
}

interface Row {
  spines: PlacedSpine[];
  bookend: number | null;
}

/** The thickness of a spine. `scale` is in px per 1,000 words. */
function thickness({ wordCount }: ShelfBook, scale: number, board: number): number {
  return Math.min(Math.max((wordCount / 1000) * scale, THINNEST), board * THICKEST_SHARE);
}

/** Places the books side by side from left to right, and starts a new shelf when one does not fit. */
function pack(books: readonly ShelfBook[], scale: number, gap: number, board: number, firstDated: number) {
  let row: Row = { spines: [], bookend: null };
  const rows = [row];
  let x = 0;
  books.forEach((book, i) => {
    const width = thickness(book, scale, board);
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
 * The ruler's marks, interpolated inside each spine so that they stay true across gaps and clamped widths. `goOnAt`, in
 * px per 1,000 words, continues them after the last book.
 */
function ruler(row: readonly PlacedSpine[], from: number, step: number, board: number, goOnAt: number | null): Tick[] {
  const minor = step / MARKS_PER_STEP;
  const ticks: Tick[] = [];
  let mark = Math.ceil(from / minor);
  /** Returns false once the board has ended. */
  const put = (x: number) => {
    if (x > board - 1) return false;
    ticks.push({ x, words: mark * minor, major: mark % MARKS_PER_STEP === 0 });
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

/** Lets the last book lean on its neighbour when there is room for it. */
function lean(row: readonly PlacedSpine[], board: number): void {
  const last = row.at(-1);
  const before = row.at(-2);
  if (!last || !before || row.length <= 2) return;
  if (last.width >= LEAN_BELOW || board - (last.x + last.width) <= LEAN_ROOM) return;
  const angle = (LEAN * Math.PI) / 180;
  const touch = Math.min(last.height, before.height / Math.cos(angle));
  last.lean = LEAN;
  last.x += touch * Math.sin(angle);
}

interface PartRoom {
  scale: number;
  board: number;
  pitch: number;
  heightOf: (book: ShelfBook) => number;
}

/** Places unfinished books behind the finished ones, which stay where they are, and on further boards. */
function placeUnfinished(
  shelves: Shelf[],
  books: readonly PartBook[],
  { scale, board, pitch, heightOf }: PartRoom,
): void {
  let shelf = shelves.at(-1);
  const last = shelf?.spines.at(-1);
  let x = last ? last.x + last.width + GAP : 0;
  books.forEach(({ book, share }, i) => {
    const width = thickness(book, scale, board);
    const before = i === 0 ? BOOKEND : 0;
    if (shelf && x + before + width > board && x > 0) {
      const { y, base } = shelf;
      const empty = { spines: [], ticks: [], bookend: null, unfinished: [], unfinishedBookend: null, slot: null };
      shelf = { y: y + pitch, base: base + pitch, ...empty };
      shelves.push(shelf);
      x = 0;
    }
    if (shelf && before) shelf.unfinishedBookend = x;
    x += before;
    shelf?.unfinished.push({ book, share, x, width, height: heightOf(book), lean: 0 });
    x += width + GAP;
  });
}

/** Lays the shelf out for a stage of `width` px. Books come undated ones first, then oldest first. */
export function layoutShelf(books: readonly ShelfBook[], width: number, options: ShelfOptions = {}): ShelfLayout {
  const { height = "rating", slot = true, notes = true, start = 0, unfinished = [] } = options;
  const margin = options.margin ?? (width >= MARGIN_FROM ? MARGIN : 0);
  const board = width - margin;
  const aim = options.shelves ?? shelvesAimedAt(books.length, board);
  const gap = books.length > 0 && (aim * board) / books.length < CROWDED_BELOW ? CROWDED_GAP : GAP;
  const slotRoom = slot ? SLOT : 0;
  const firstDated = books.findIndex((book) => book.date !== null);
  const total = books.reduce((sum, book) => sum + book.wordCount, 0);
  const free = aim * board * FILL - books.length * gap - slotRoom - (firstDated > 0 ? BOOKEND : 0);
  let scale = total > 0 ? Math.max(0, Math.min(MAX_SCALE, free / (total / 1000))) : MAX_SCALE;

  let packed = pack(books, scale, gap, board, firstDated);
  const tooLong = () => packed.rows.length > aim || (packed.rows.length === aim && packed.end + slotRoom > board);
  for (let i = 0; i < MAX_ATTEMPTS && tooLong(); i++) {
    scale *= SHRINK;
    packed = pack(books, scale, gap, board, firstDated);
  }

  const tallest = options.tallest ?? tallestSpine(packed.rows.length, board);
  const tickRoom = board < NARROW_BELOW ? TICK_ROOM.narrow : TICK_ROOM.wide;
  const step = TICK_STEPS.find((words) => (words / 1000) * scale >= tickRoom) ?? 1e7;
  const shelfGap = margin ? SHELF_GAP.withMargin : SHELF_GAP.withoutMargin;
  const pitch = HEAD + tallest + BOARD + RULER + (margin || !notes ? 0 : NOTE) + shelfGap;
  const goesOn = scale > 0 && unfinished.length === 0;
  let words = start;
  const shelves = packed.rows.map((row, i): Shelf => {
    const isLast = i === packed.rows.length - 1;
    for (const spine of row.spines) spine.height = tallest * relativeHeight(spine.book, height);
    const ticks = ruler(row.spines, words, step, board, goesOn && isLast ? scale : null);
    words += row.spines.reduce((sum, { book }) => sum + book.wordCount, 0);
    if (isLast) lean(row.spines, board);
    const last = row.spines.at(-1);
    const end = last ? last.x + last.width : 0;
    const free = isLast && slot && board - end >= SLOT;
    const place = free ? { x: end + (last ? SLOT_GAP : 0), width: SLOT_WIDTH, height: tallest * SLOT_HEIGHT } : null;
    return {
      y: i * pitch,
      base: i * pitch + HEAD + tallest,
      spines: row.spines,
      ticks,
      bookend: row.bookend,
      unfinished: [],
      unfinishedBookend: null,
      slot: place,
    };
  });
  const heightOf = (book: ShelfBook) => tallest * relativeHeight(book, height);
  placeUnfinished(shelves, unfinished, { scale, board, pitch, heightOf });
  const drawn = shelves.length * pitch - shelfGap;
  return { shelves, margin, board, tallest, scale, pitch, width, height: drawn };
}

/** The id of the book above or below another, at the nearest horizontal position; null at the first and last shelf. */
export function neighbour(layout: ShelfLayout, id: number, direction: "up" | "down"): number | null {
  const row = layout.shelves.findIndex((shelf) => shelf.spines.some(({ book }) => book.id === id));
  const here = layout.shelves[row]?.spines.find(({ book }) => book.id === id);
  const there = layout.shelves[row + (direction === "down" ? 1 : -1)];
  if (!here || !there || there.spines.length === 0) return null;
  const middle = (spine: PlacedSpine) => spine.x + spine.width / 2;
  const distance = (spine: PlacedSpine) => Math.abs(middle(spine) - middle(here));
  return there.spines.reduce((a, b) => (distance(b) < distance(a) ? b : a)).book.id;
}

/** A number on the ruler: 0, 500K, 1.5M. */
export function tickLabel(words: number): string {
  if (words >= 1e6) return `${(words / 1e6).toFixed(words % 1e6 ? 1 : 0)}M`;
  return words === 0 ? "0" : `${words / 1e3}K`;
}
