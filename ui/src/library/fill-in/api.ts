import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { RefillField } from "../../kit/api/types";
import { libraryChanged } from "../books/api";

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
