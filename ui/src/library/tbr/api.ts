import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, keyOf } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { TbrItem, TbrList } from "../../kit/api/types";
import { libraryChanged } from "../books/api";
import { type ItemChange, inOrder, type NewItem } from "../books/tbrItem";
import { useEnqueue } from "../outbox/useOutbox";

/** The to-be-read list in its reader's order. */
export const tbrQuery = queryOptions({
  queryKey: keys.tbr,
  queryFn: ({ signal }) => api.get("/api/tbr", { signal }),
  select: ({ data }) => data,
});

/** How much the list is: its words, and how many months they take at the reader's pace. */
export const pileQuery = queryOptions({ ...tbrQuery, select: ({ pile }: TbrList) => pile });

/** A book of the list to read next, of at most so many words. Each question may have another answer. */
export const pickQuery = (maxWords: number | null) =>
  queryOptions({
    queryKey: [...keys.tbr, "pick", maxWords],
    queryFn: ({ signal }) => api.get("/api/tbr/pick", { query: { maxWords }, signal }),
    select: ({ item }) => item,
    staleTime: 0,
    gcTime: 0,
  });

function useListChanged() {
  const client = useQueryClient();
  return () => {
    client.invalidateQueries({ queryKey: tbrQuery.queryKey });
  };
}

/** Adds an item at the end, now or as soon as there is a connection. The same payload object adds nothing twice. */
export function useAddItem() {
  const listChanged = useListChanged();
  const enqueue = useEnqueue();
  return useMutation({
    mutationFn: (item: NewItem) => enqueue({ kind: "list", item }, keyOf(item)),
    onSuccess: ({ isPending }) => isPending || listChanged(),
  });
}

export function useUpdateItem(id: number) {
  return useMutation({
    mutationFn: (change: Partial<ItemChange>) => api.patch("/api/tbr/{id}", change, { path: { id } }),
    onSuccess: useListChanged(),
  });
}

export function useRemoveItem() {
  return useMutation({
    mutationFn: (item: TbrItem) => api.delete("/api/tbr/{id}", { path: { id: item.id } }),
    // Also after a failure: an item that no longer exists must not stay visible.
    onSettled: useListChanged(),
  });
}

/** Makes an item a book in progress, which removes it from the list in the same step. */
export function useStartItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (item: TbrItem) => api.post("/api/tbr/{id}/start", undefined, { path: { id: item.id }, once: item }),
    onSuccess: () => libraryChanged(client),
  });
}

const ORDER = ["tbr", "order"] as const;

/**
 * Gives the list a new order. It shows at once, and is reverted when the server refuses it. Several moves in a row are
 * sent one after another, so that the last one counts.
 */
export function useReorder() {
  const client = useQueryClient();
  const listChanged = useListChanged();
  return useMutation({
    mutationKey: ORDER,
    scope: { id: ORDER.join() },
    mutationFn: (bookIds: number[]) => api.post("/api/tbr/reorder", { bookIds }),
    onMutate: async (bookIds) => {
      await client.cancelQueries({ queryKey: tbrQuery.queryKey });
      const before = client.getQueryData(tbrQuery.queryKey);
      if (before) client.setQueryData(tbrQuery.queryKey, { ...before, data: inOrder(before.data, bookIds) });
      return before;
    },
    onError: (_error, _ids, before) => {
      client.setQueryData(tbrQuery.queryKey, before);
    },
    onSettled: () => {
      // While another move waits, the server's order is not yet the shown one.
      if (client.isMutating({ mutationKey: ORDER }) === 1) listChanged();
    },
  });
}
