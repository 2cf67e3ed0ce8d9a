import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";

/** The media servers that the operator has named, and whether they report to the reader. */
export const sourcesQuery = queryOptions({
  queryKey: keys.sources,
  queryFn: ({ signal }) => api.get("/api/sources", { signal }),
  select: ({ data }) => data,
});

function useSourceChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    retry: false,
    // A key is forgotten when its dialog closes.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: keys.sources }),
  });
}

/** Connects a media server by a key, which the server tries first. */
export const useConnectSource = () =>
  useSourceChange(({ name, key }: { name: string; key: string }) =>
    api.put("/api/sources/{name}", { key }, { path: { name } }),
  );

export const useDisconnectSource = () =>
  useSourceChange((name: string) => api.delete("/api/sources/{name}", { path: { name } }));
