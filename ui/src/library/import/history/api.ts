import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "../../../kit/api/client";
import { keys } from "../../../kit/api/keys";
import type { RefillField } from "../../../kit/api/types";
import { libraryChanged } from "../../books/api";

/** The operations that one request asks for. */
const AT_A_TIME = 50;

/** What was done to many books at once, newest first, in pages that are fetched as they are wanted. */
export const operationsQuery = infiniteQueryOptions({
  queryKey: keys.changes,
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam === null ? { limit: AT_A_TIME } : { limit: AT_A_TIME, cursor: pageParam };
    return api.get("/api/operations", { query, signal });
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  select: ({ pages }) => pages.flatMap(({ data }) => data),
});

/** Pairs of books that are likely the same. */
export const duplicatesQuery = queryOptions({
  queryKey: keys.duplicates,
  queryFn: ({ signal }) => api.get("/api/works/duplicates", { signal }),
  select: ({ data }) => data,
});

/** Says that another book is not the same as this one. */
export function useKeepApart(work: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (other: number) => api.post("/api/works/{work}/distinct", { work: other }, { path: { work } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.duplicates }),
  });
}

/** Takes an operation back, but for what was changed since. */
export function useUndo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete("/api/operations/{id}", { path: { id } }),
    // When the first answer is lost, a retry would fail because there is nothing left to undo.
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}

/**
 * What a fill-in of these fields would do; without a choice, of the usual fields. The former answer stays until the new one
 * arrives.
 */
export function fillInQuery(fields: readonly RefillField[] | null) {
  return queryOptions({
    queryKey: keys.fillIn(fields),
    queryFn: ({ signal }) =>
      api.post("/api/refill", fields ? { fields: [...fields] } : {}, { query: { dryRun: true }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Fills in. A second request finds nothing more to do. */
export function useFillIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: readonly RefillField[]) => api.post("/api/refill", { fields: [...fields] }, {}),
    onSuccess: () => libraryChanged(client),
  });
}
