import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { SharePart } from "../kit/api/types";
import type { Subject } from "./model";

/** The reader's secret links, the newest first. */
export const sharesQuery = queryOptions({
  queryKey: keys.shares,
  queryFn: ({ signal }) => api.get("/api/shares", { signal }),
  select: ({ data }) => data,
});

/** What a link shows besides titles and authors, and the instant at which it ends. Without `expiresAt` its end stays. */
export interface ShareChoice {
  parts: SharePart[];
  expiresAt?: string | null;
}

function useChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    // A retry could make a second link.
    retry: false,
    // An address is forgotten when the dialog that shows it closes.
    gcTime: 0,
    // Not awaited: a dialog closes before the row from which it was opened goes, so that the focus stays in the list.
    onSettled: () => {
      client.invalidateQueries({ queryKey: sharesQuery.queryKey });
    },
  });
}

/** Makes a link. Its address is in this one answer only. */
export const useMakeShare = () =>
  useChange(({ period, tag, ...share }: ShareChoice & Subject) =>
    api.post("/api/shares", { ...share, ...(period !== null && { period }), ...(tag !== null && { tag }) }),
  );

export const useChangeShare = () =>
  useChange(({ id, ...change }: ShareChoice & { id: number }) =>
    api.patch("/api/shares/{id}", change, { path: { id } }),
  );

/** Gives a link another address, which is in this one answer only. */
export const useRenewShare = () =>
  useChange((id: number) => api.post("/api/shares/{id}/renew", undefined, { path: { id } }));

export const useTakeBack = () => useChange((id: number) => api.delete("/api/shares/{id}", { path: { id } }));
