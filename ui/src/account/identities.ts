import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import { eventAdded } from "./events";

/** The reader's connected sign-in providers, and whether the account also has a password. */
export const identitiesQuery = queryOptions({
  queryKey: keys.identities,
  queryFn: ({ signal }) => api.get("/api/account/identities", { signal }),
});

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (provider: string) => api.delete("/api/account/identities/{provider}", { path: { provider } }),
    onSettled: () => {
      eventAdded(client);
      return client.invalidateQueries({ queryKey: identitiesQuery.queryKey });
    },
  });
}
