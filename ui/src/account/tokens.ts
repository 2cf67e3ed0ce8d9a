import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type { ApiToken, TokenAccess } from "../kit/api/types";
import { withConfirmation } from "./confirmation";

/** One's API tokens, the newest first. */
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => api.get("/api/account/tokens", { signal }),
  select: ({ data }) => data,
});

interface NewToken {
  name: string;
  access: TokenAccess;
  /** Null for a token without an end. */
  expiresInDays: 30 | 90 | 365 | null;
}

/** Makes a token; its secret is in this one answer. */
export function useMakeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: NewToken) => withConfirmation(() => api.post("/api/account/tokens", token)),
    // A second attempt could make a second token.
    retry: false,
    // The secret is forgotten with the dialog that shows it.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: ApiToken) => api.delete("/api/account/tokens/{id}", { path: { id: token.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
