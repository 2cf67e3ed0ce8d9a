import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError } from "../kit/api/client";
import type { SearchHit } from "../kit/api/types";
import { useDebouncedTransition } from "../kit/useDebouncedTransition";
import { titlesQuery } from "../library/books/api";
import { tbrQuery } from "../library/tbr/api";
import { type Answer, answersTo, factOf, searchable } from "../statistics/filters/answers";
import { isAnswered as isLongEnough } from "../statistics/filters/filter";
import { searchQuery, type Where } from "./api";

/** Milliseconds without typing before the server is asked. */
const REST = 200;

/** A hit as it is shown. */
export type Hit = Pick<SearchHit, "kind" | "parts" | "place" | "day"> & {
  /** The book, or the item of the to-be-read list. */
  book: { id: number; title: string; author: string | null };
};

export interface Found {
  hits: readonly Hit[];
  /** The number of all hits; null while it is unknown. */
  matching: number | null;
  /** Whether titles and authors alone were searched, in what this browser has, because the server can't be reached. */
  isLocal: boolean;
  error: unknown;
  refetch: () => unknown;
  /** The server's answer, of which there may be more. */
  pages: { isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown };
}

/**
 * What is found for a text. The titles and authors that this browser knows answer at once, as they do above the dashboard's table, until the
 * server's answer arrives or in its place.
 */
export function useFound(typed: string, where?: Where): Found {
  const sought = typed.trim();
  const rested = useDebouncedTransition(sought, REST);
  const query = useInfiniteQuery(searchQuery(rested, where));
  const isUnreachable = query.error instanceof ApiError && query.error.code === "unreachable";
  const isAnswered = rested === sought && query.data !== undefined;
  const answered = isAnswered ? query.data : undefined;
  const local = useLocalHits(where === undefined && !isAnswered ? sought : "");
  const isLocal = isUnreachable && !isAnswered && where === undefined;
  return {
    hits: answered?.pages.flatMap(({ data }) => data.map(ofServer)) ?? local,
    matching: answered?.pages[0]?.matching ?? (isLocal ? local.length : null),
    isLocal,
    error: isLocal || query.isFetchNextPageError ? null : query.error,
    refetch: query.refetch,
    pages: query,
  };
}

const NONE: readonly Hit[] = [];

function useLocalHits(sought: string): readonly Hit[] {
  const enabled = isLongEnough(sought);
  const { data: titles } = useQuery({ ...titlesQuery, enabled });
  const { data: list } = useQuery({ ...tbrQuery, enabled });
  const books = useMemo(() => titles && searchable(titles), [titles]);
  const items = useMemo(() => list && searchable(list), [list]);
  return useMemo(
    () => (books && items && enabled ? answersTo(sought, books, items).map(asHit) : NONE),
    [sought, enabled, books, items],
  );
}

const NOTHING = { id: 0, title: "", author: null };

const ofServer = ({ book, item, ...hit }: SearchHit): Hit => ({ ...hit, book: book ?? item ?? NOTHING });

function asHit(answer: Answer): Hit {
  const isBook = "book" in answer;
  const book = isBook ? answer.book : answer.item;
  const parts = [{ text: book.title, hit: false }];
  return { kind: isBook ? "book" : "tbr", book, parts, place: isBook ? factOf(answer.book) : null, day: null };
}
