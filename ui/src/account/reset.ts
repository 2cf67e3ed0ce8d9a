import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { viewerQuery } from "../access/viewer";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";

/** Requests an e-mail with a link to a new password. The answer is the same whether or not the address has an account. */
export function useAskForReset() {
  return useMutation({ mutationFn: (email: string) => api.post("/api/auth/password-reset", { email }) });
}

/** The account of a link. */
export function resetAccountQuery(token: string) {
  return queryOptions({
    queryKey: keys.resetAccount(token),
    queryFn: ({ signal }) => api.get("/api/auth/password-reset/{token}", { path: { token }, signal }),
    // Each attempt with a link that does not work counts as a guess.
    retry: false,
  });
}

/** Sets a new password by the token of a link, which works once. Every session of the account ends. */
export function useResetPassword(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => api.post("/api/auth/password-reset/{token}", { password }, { path: { token } }),
    // A retry would find the link used by the first attempt.
    retry: false,
    // The session of this browser may have ended.
    onSuccess: () => client.refetchQueries({ queryKey: viewerQuery.queryKey }),
  });
}
