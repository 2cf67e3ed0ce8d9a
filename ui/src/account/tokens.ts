import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { ApiToken, TokenAccess } from "../kit/api/types";
import { withConfirmation } from "./confirmation";

/** The reader's API tokens, the newest first. */
export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: ({ signal }) => api.get("/api/account/tokens", { signal }),
  select: ({ data }) => data,
});

interface NewToken {
  name: string;
  access: TokenAccess;
  /** Null for a token that does not expire. */
  expiresInDays: 30 | 90 | 365 | null;
}

/** Creates a token. Its secret is in this one answer only. */
export function useMakeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: NewToken) => withConfirmation(() => api.post("/api/account/tokens", token)),
    // A retry could create a second token.
    retry: false,
    // The secret is forgotten when the dialog that shows it closes.
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
