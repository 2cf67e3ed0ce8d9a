import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { keys } from "../../../kit/api/keys";
import type { SyncResult } from "../../../kit/api/types";
import { upload } from "../../../kit/api/upload";
import { libraryChanged } from "../../books/api";
import { type ChosenFile, formOf, isRefused, useSending } from "../api";
import type { ImportFields } from "../model";

/** What a newer file changes, before anything is written. */
export function syncPreviewQuery(file: ChosenFile, fields: ImportFields) {
  return queryOptions({
    queryKey: keys.importPreview(file.id, "sync", fields),
    queryFn: ({ signal }): Promise<SyncResult> =>
      upload("/api/books/import", formOf(file, fields), { query: { mode: "sync", dryRun: true }, signal }),
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && !isRefused(error),
  });
}

/** One sync. The same object is sent again after a failure, so that nothing is taken over twice. */
export interface SyncRequest {
  file: ChosenFile;
  fields: ImportFields;
  /** Fields in which the file's value is taken, by the id of a book, or `tbr-` and that of an item. */
  take: Record<string, string[]>;
  /** Lines of rows that are not taken over. */
  leave: number[];
}

/** Takes over what a newer file changes. */
export function useSync() {
  const client = useQueryClient();
  return useSending({
    send: ({ file, fields, take, leave }: SyncRequest, sending): Promise<SyncResult> => {
      const form = formOf(file, fields);
      form.append("take", JSON.stringify(take));
      form.append("leave", JSON.stringify(leave));
      return upload("/api/books/import", form, { ...sending, query: { mode: "sync" } });
    },
    onSuccess: () => libraryChanged(client),
  });
}
