import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";

/** The reader's saved filters, pinned ones first. */
export const viewsQuery = queryOptions({
  queryKey: keys.views,
  queryFn: ({ signal }) => api.get("/api/views", { signal }),
  select: ({ data }) => data,
});

function useViewsChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.views });
}

export function useSaveView() {
  return useMutation({
    mutationFn: (view: { name: string; query: string }) => api.post("/api/views", view),
    // When the first answer is lost, a retry would find the name taken; below, it would find the former one gone.
    retry: false,
    onSettled: useViewsChanged(),
  });
}

export function useChangeView(name: string) {
  return useMutation({
    mutationFn: (change: { name?: string; position?: number | null }) =>
      api.patch("/api/views/{name}", change, { path: { name } }),
    retry: false,
    onSettled: useViewsChanged(),
  });
}

export function useDeleteView(name: string) {
  return useMutation({
    mutationFn: () => api.delete("/api/views/{name}", { path: { name } }),
    onSuccess: useViewsChanged(),
  });
}
