import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { Book } from "../../kit/api/types";
import { longDate } from "../../kit/format";
import type { BooksQuery } from "../../library/books/list";
import { WHOLE } from "../../library/books/read";
import type { PartBook } from "./layout";

/** An unfinished book as the shelf shows it. */
export interface UnfinishedBook extends PartBook {
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

/** The most books that one answer of the server has. */
const MOST = 500;

/** The unfinished books of a filter, once they are wanted. */
export function useUnfinishedBooks(query: BooksQuery | undefined, isWanted: boolean) {
  const asked = unfinishedQuery(query ?? {});
  return useQuery({
    queryKey: keys.bookList({ ...asked, unfinished: true }),
    queryFn: async ({ signal }): Promise<readonly Book[]> =>
      asked ? (await api.get("/api/books", { query: { ...asked, limit: MOST }, signal })).data : [],
    select: unfinishedOf,
    enabled: isWanted,
  });
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
