import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, withQuery } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { download } from "../../kit/download";
import type { Answers, Program } from "./model";

/** The programs for which exports are written, and what each can't hold of the reader's library. */
export const programsQuery = queryOptions({
  queryKey: keys.programs,
  queryFn: ({ signal }) => api.get("/api/account/export/formats", { signal }),
  select: ({ data }) => data,
});

/** Downloads the library in the form of a program. */
export function useDownload() {
  return useMutation({
    mutationFn: ({ program, answers, file }: { program: Program; answers: Answers; file: string }) =>
      download(withQuery(`/api/account/export/${program.format}`, { ...answers }), file),
  });
}
