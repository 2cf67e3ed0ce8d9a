import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";

/** What the catalogues that this server asks know about a title, an author or an ISBN. Without a question nothing is asked. */
export const lookUpQuery = (question: string) =>
  queryOptions({
    queryKey: keys.lookup(question, "everywhere"),
    queryFn: ({ signal }) => api.get("/api/lookup", { query: { q: question }, signal }),
    enabled: question !== "",
    // A catalogue that did not answer is asked again only when the reader says so.
    retry: false,
  });

/** What the catalogue on this server knows. It asks no one, so it may be asked while a reader types. */
export const offlineQuery = (question: string) =>
  queryOptions({
    queryKey: keys.lookup(question, "offline"),
    queryFn: ({ signal }) => api.get("/api/lookup", { query: { q: question, offline: true }, signal }),
    enabled: question !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
