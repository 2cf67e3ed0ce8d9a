import { type QueryFunctionContext, useQueryClient } from "@tanstack/react-query";
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../kit/api/client";
import type { Dashboard } from "../kit/api/types";
import { asPage, booksQuery, firstPage } from "../library/books/list";
import type { Sort } from "../library/books/sort";
import { statsQuery } from "./api";
import { type Filter, isFiltered, toQuery, UNFILTERED } from "./filters/filter";

/** The filter and the order of the dashboard. */
export interface Question {
  filter: Filter;
  sort: Sort;
}

/** What the page shows of what was asked for. */
export interface Answered {
  /** The filter and order of the shown numbers. */
  shown: Question;
  /** Whether the requested filter could not be answered; the page then shows an older answer. */
  failed: boolean;
  retry: () => void;
}

/**
 * The filter and order that the page shows. A new one is requested at once, and shown when both answers have arrived,
 * the figures and the books, so that the page renders once for both; until then, and when the request fails, the
 * previous one stays. A page that has none shows the whole library instead. The update is a transition, because
 * rendering a table and four charts at once would block the page.
 */
export function useAnswered(filter: Filter, sort: Sort): Answered {
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  const asked = useMemo(() => ({ filter, sort }), [filter, sort, attempt]);
  const [{ shown, failed }, setAnswer] = useState({ shown: asked, failed: false });
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  }, [shown]);
  useEffect(() => {
    let waits = true;
    const isAnswered = (question: Question) => client.getQueryData(statsQuery(question.filter).queryKey) !== undefined;
    const fetch = async (question: Question) => {
      const [figures, list] = queriesOf(question);
      // Prefetching never rejects: a failure is reported where its result would be shown.
      await Promise.all([client.prefetchQuery(figures), client.prefetchInfiniteQuery(list)]);
      return isAnswered(question);
    };
    const answer = async () => {
      if (await fetch(asked)) return { shown: asked, failed: false };
      if (isAnswered(latest.current)) return { shown: latest.current, failed: true };
      const whole = { filter: UNFILTERED, sort: asked.sort };
      if (waits && isFiltered(asked.filter) && (await fetch(whole))) return { shown: whole, failed: true };
      return { shown: asked, failed: true };
    };
    answer().then((next) => {
      if (waits) startTransition(() => setAnswer(next));
      waits = false;
    });
    return () => {
      if (!waits) return;
      waits = false;
      for (const { queryKey } of queriesOf(asked)) client.cancelQueries({ queryKey, exact: true });
    };
  }, [client, asked]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    if (!failed) return;
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [failed, retry]);
  return { shown, failed, retry };
}

/**
 * The queries of a filter and order. While a reader types a title, the browser's cost of each call counts, so both
 * queries are sent as one call. Otherwise they are two calls, whose answers the service worker caches for use without a
 * network.
 */
function queriesOf({ filter, sort }: Question) {
  const listed = { query: toQuery(filter), sort };
  const [figures, list] = [statsQuery(filter), booksQuery(listed)];
  if (!listed.query.titleSearch) return [figures, list] as const;
  let underWay: Promise<Dashboard> | null = null;
  const ask = ({ signal }: QueryFunctionContext) => {
    underWay ??= api.get("/api/dashboard", { query: firstPage(listed), signal }).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  return [
    { ...figures, queryFn: async (call: QueryFunctionContext) => (await ask(call)).stats },
    { ...list, queryFn: async (call: QueryFunctionContext) => asPage((await ask(call)).books) },
  ] as const;
}
