import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";

/** The providers that one has connected, and whether a password is set besides. */
export const identitiesQuery = queryOptions({
  queryKey: ["identities"],
  queryFn: ({ signal }) => api.get("/api/account/identities", { signal }),
});

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (provider: string) => api.delete("/api/account/identities/{provider}", { path: { provider } }),
    onSettled: () => client.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  });
}
