import { useMutation, useQueryClient } from "@tanstack/react-query";
import { viewerQuery } from "../access/viewer";
import { api } from "../kit/api/client";

/** Has a link mailed to an address; the answer is the same whether the address has an account or not. */
export function useAskForReset() {
  return useMutation({ mutationFn: (email: string) => api.post("/api/auth/password-reset", { email }) });
}

/** Sets a new password by the token of a link, which works once; every session of the account ends. */
export function useResetPassword(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => api.post("/api/auth/password-reset/{token}", { password }, { path: { token } }),
    // A second attempt would find the link used, by the first.
    retry: false,
    // Whoever was signed in here may be so no more.
    onSuccess: () => client.refetchQueries({ queryKey: viewerQuery.queryKey }),
  });
}
