/** Covers of found books. The server fetches one a second for a reader, so they are asked for one after the other. */
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, errorMessage } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { FoundBook } from "../../kit/api/types";
import { fetchFile } from "../../kit/api/upload";
import { CoverError } from "../covers/scale";

/** Milliseconds between two covers. */
const APART = 1_000;
/** The most results whose cover is shown in the list: a reader may ask for 500 books and covers a day. */
const MOST_SHOWN = 8;

let turn: Promise<unknown> = Promise.resolve();

/** Waits until the cover before this one has come, and a pause after it. */
function inTurn<T>(fetch: () => Promise<T>): Promise<T> {
  const fetched = turn.then(fetch);
  const pause = () => new Promise((resolve) => setTimeout(resolve, APART));
  turn = fetched.then(pause, pause);
  return fetched;
}

/** The cover of a found book; null where the catalogue has none. */
const foundCoverQuery = ({ source }: FoundBook, cover: string) =>
  queryOptions({
    queryKey: keys.lookupCover(source, cover),
    queryFn: () =>
      inTurn(() => fetchFile("/api/lookup/cover", { source, cover })).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Fetches the cover of a book that was chosen. Throws {@link CoverError} with a sentence when there is none. */
export async function coverOf(client: QueryClient, book: FoundBook, cover: string): Promise<Blob> {
  let picture: Blob | null;
  try {
    picture = await client.fetchQuery(foundCoverQuery(book, cover));
  } catch (error) {
    throw new CoverError(errorMessage(error, "The cover could not be loaded."));
  }
  if (!picture) throw new CoverError("The catalog has no picture of it.");
  return picture;
}

/** The addresses of the covers of the first books. Each is added when it has been loaded, while the list is shown. */
export function useThumbnails(books: readonly FoundBook[], isWanted: boolean): ReadonlyMap<FoundBook, string> {
  const client = useQueryClient();
  const [urls, setUrls] = useState<ReadonlyMap<FoundBook, string>>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    const made: string[] = [];
    const fetchAll = async () => {
      for (const book of books.slice(0, MOST_SHOWN)) {
        if (book.cover === null) continue;
        // A list that is gone asks for no more.
        await turn;
        if (isOver) return;
        const picture = await client.fetchQuery(foundCoverQuery(book, book.cover));
        if (isOver) return;
        if (!picture) continue;
        const url = URL.createObjectURL(picture);
        made.push(url);
        setUrls((known) => new Map(known).set(book, url));
      }
    };
    // Where one can't be fetched for the moment, neither can the others. The list is complete without them.
    fetchAll().catch(() => undefined);
    return () => {
      isOver = true;
      for (const url of made) URL.revokeObjectURL(url);
      setUrls(new Map());
    };
  }, [books, isWanted, client]);
  return urls;
}
