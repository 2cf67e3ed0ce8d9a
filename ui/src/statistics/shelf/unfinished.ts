/** Unfinished books on the shelf: which they are, and where they stand behind the finished ones. */
import type { Book, ShelfBook } from "../../kit/api/types";
import { longDate } from "../../kit/format";
import type { BooksQuery } from "../../library/books/list";
import { WHOLE } from "../../library/books/read";
import { BOOKEND, GAP, relativeHeight, type ShelfHeight, type ShelfLayout, thickness } from "./layout";

/** An unfinished book as the shelf shows it. */
export interface UnfinishedBook {
  book: ShelfBook;
  /** The share that was read, 0 to 1. */
  share: number;
  /** In words: `paused since Sep 2, 2026, read to 38%`. */
  state: string;
}

const STATUSES = ["in-progress", "paused", "did-not-finish"];

/** The query for the unfinished books of a filter; null where the filter leaves all of them out. */
export function unfinishedQuery(query: BooksQuery): BooksQuery | null {
  const wanted = [query.status ?? ["in-progress", "did-not-finish"]].flat();
  const status = wanted.filter((one) => STATUSES.includes(one));
  return status.length === 0 ? null : { ...query, status };
}

/** Books in progress come first, then paused ones, then those that were given up; of each the newest first. */
export function unfinishedOf(books: readonly Book[]): UnfinishedBook[] {
  const rank = ({ status, pausedSince }: Book) => (status === "did-not-finish" ? 2 : Number(pausedSince !== null));
  const ordered = [...books].sort((one, other) => rank(one) - rank(other) || other.id - one.id);
  return ordered.map((book) => ({
    book: { ...book, date: null, completedFrom: null },
    share: (book.progress?.at ?? 0) / WHOLE,
    state: stateOf(book),
  }));
}

function stateOf({ status, pausedSince, stoppedDate, progress }: Book): string {
  const open = pausedSince ? `paused since ${longDate(pausedSince)}` : "in progress";
  const stopped = stoppedDate ? `not finished, stopped on ${longDate(stoppedDate)}` : "not finished";
  const state = status === "did-not-finish" ? stopped : open;
  return progress ? `${state}, read to ${Math.floor(progress.at / 100)}%` : state;
}

/** The place of an unfinished book. All lengths are in px, `x` from the board's left end, `base` from the drawing's top. */
export interface UnfinishedSpine extends UnfinishedBook {
  x: number;
  base: number;
  width: number;
  height: number;
}

/** Where the unfinished books stand. */
export interface UnfinishedPlaces {
  spines: UnfinishedSpine[];
  /** The bookend between the finished ones and these. */
  bookend: { x: number; base: number };
  /** The boards below the last shelf of finished books. */
  boards: number[];
}

/** Places unfinished books behind the finished ones and at their scale. The finished ones stay where they are. */
export function placeUnfinished(
  layout: ShelfLayout,
  books: readonly UnfinishedBook[],
  by: ShelfHeight,
): UnfinishedPlaces {
  const { board, scale, tallest, pitch } = layout;
  const boards: number[] = [];
  let base = layout.shelves.at(-1)?.base ?? 0;
  let x = endOf(layout) + GAP;
  let room = BOOKEND;
  let bookend = { x, base };
  const spines = books.map((one): UnfinishedSpine => {
    const width = thickness(one.book, scale, board);
    if (x + room + width > board && x > 0) {
      base += pitch;
      x = 0;
      boards.push(base);
    }
    if (room > 0) bookend = { x, base };
    x += room;
    room = 0;
    const spine = { ...one, x, base, width, height: tallest * relativeHeight(one.book, by) };
    x += width + GAP;
    return spine;
  });
  return { spines, bookend, boards };
}

/** The right end of the last finished book. */
function endOf({ shelves }: ShelfLayout): number {
  const last = shelves.at(-1)?.spines.at(-1);
  return last ? last.x + last.width : 0;
}

/** The shelf of the finished books with room for these boards. Its ruler ends with the last finished book. */
export function withRoom(layout: ShelfLayout, boards: number): ShelfLayout {
  const end = endOf(layout);
  const shelves = layout.shelves.map((shelf, row) =>
    row < layout.shelves.length - 1 ? shelf : { ...shelf, ticks: shelf.ticks.filter(({ x }) => x <= end + 1) },
  );
  return { ...layout, shelves, height: layout.height + boards * layout.pitch };
}
