import { type QueryFunctionContext, useQueryClient } from "@tanstack/react-query";
import { startTransition, useEffect, useMemo, useState } from "react";
import { api } from "../kit/api/client";
import type { Dashboard } from "../kit/api/types";
import { asPage, booksQuery, firstPage } from "../library/books/list";
import type { Sort } from "../library/books/sort";
import { statsQuery } from "./api";
import { type Filter, toQuery } from "./filters/filter";

/** The filter and the order of the dashboard. */
export interface Question {
  filter: Filter;
  sort: Sort;
}

/**
 * The filter and order that the page shows. A new one is requested at once, and shown when both answers have arrived,
 * the figures and the books, so that the page renders once for both; until then the previous one stays. The update is a
 * transition, because rendering a table and four charts at once would block the page.
 */
export function useAnswered(filter: Filter, sort: Sort): Question {
  const client = useQueryClient();
  const asked = useMemo(() => ({ filter, sort }), [filter, sort]);
  const [shown, setShown] = useState(asked);
  useEffect(() => {
    const [figures, list] = queriesOf(asked);
    let waits = true;
    // Prefetching never rejects: a failure is reported where its result would be shown.
    Promise.all([client.prefetchQuery(figures), client.prefetchInfiniteQuery(list)]).then(() => {
      if (waits) startTransition(() => setShown(asked));
      waits = false;
    });
    return () => {
      if (!waits) return;
      waits = false;
      for (const { queryKey } of [figures, list]) client.cancelQueries({ queryKey, exact: true });
    };
  }, [client, asked]);
  return shown;
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
