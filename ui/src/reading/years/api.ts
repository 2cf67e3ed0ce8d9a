import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";

/** The review of a year or a month. */
export const reviewQuery = (period: string) =>
  queryOptions({
    queryKey: keys.review(period),
    queryFn: ({ signal }) => api.get("/api/review", { query: { period }, signal }),
  });
