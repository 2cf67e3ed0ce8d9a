import { type QueryFunctionContext, useQueryClient } from "@tanstack/react-query";
import { startTransition, useEffect, useMemo, useState } from "react";
import { api } from "../kit/api/client";
import type { Dashboard } from "../kit/api/types";
import { asPage, booksQuery, firstPage } from "../library/books/list";
import type { Sort } from "../library/books/sort";
import { statsQuery } from "./api";
import { type Filter, toQuery } from "./filters/filter";

/** What the dashboard is asked to show. */
export interface Question {
  filter: Filter;
  sort: Sort;
}

/**
 * The question that the page is to show. A new one is sent to the server at once, and taken when both its answers are there,
 * the figures and the books, so that the page is drawn once for it; what was shown stays until then. The drawing is done in
 * slices between which the page answers: a table and four charts in one go would hold it up.
 */
export function useAnswered(filter: Filter, sort: Sort): Question {
  const client = useQueryClient();
  const asked = useMemo(() => ({ filter, sort }), [filter, sort]);
  const [shown, setShown] = useState(asked);
  useEffect(() => {
    const [figures, list] = queriesOf(asked);
    let waits = true;
    // Neither is ever refused: an answer that could not be had is told where it would be shown.
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
 * The queries of a question. Whoever types a title waits for what each call costs the browser, so both are then sent as one
 * call; others are two, of which the service worker keeps the answers for when there is no network.
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
