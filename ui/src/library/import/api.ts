import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, keyOf, sentenceOf } from "../../kit/api/client";
import type { PastImport } from "../../kit/api/types";
import { upload } from "../../kit/api/upload";
import { toast } from "../../kit/ui/toast";
import { libraryChanged } from "../books/api";
import type { ImportFields, Kind } from "./model";
import { FAILED, successText } from "./texts";

/** A file as it was when it was chosen: what is previewed is what is imported, whatever happens to it meanwhile. */
export interface ChosenFile {
  /** Tells two choices of a file apart, also of the same. */
  id: number;
  name: string;
  /** Bytes. */
  size: number;
  content: File;
}

/** One import. The same object is sent again after a failure, so that nothing is imported twice. */
export interface ImportRequest {
  kind: Kind;
  file: ChosenFile;
  fields: ImportFields;
}

const PATHS = { books: "/api/books/import", tbr: "/api/tbr/import" } as const;

function formOf(file: ChosenFile, fields: ImportFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file.content);
  return form;
}

/** What an import would make of a file; nothing is written. What was shown stays until the answer is there. */
export function previewQuery(kind: Kind, file: ChosenFile, fields: ImportFields) {
  return queryOptions({
    queryKey: ["import-preview", file.id, kind, fields],
    queryFn: ({ signal }) => upload(PATHS[kind], formOf(file, fields), { query: { dryRun: true }, signal }),
    placeholderData: keepPreviousData,
    retry: (failures, error) =>
      failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
  });
}

/** An import of the past, and the list that it was for. */
export type KnownImport = PastImport & { kind: Kind };

/** What was imported so far, newest first. The figures of an import don't say of which list they are: it is asked for each. */
export const pastImportsQuery = queryOptions({
  queryKey: ["imports"],
  queryFn: async ({ signal }): Promise<KnownImport[]> => {
    const into = async (kind: Kind) => {
      const { data } = await api.get("/api/imports", { query: { kind }, signal });
      return data.map((one) => ({ ...one, kind }));
    };
    const [books, items] = await Promise.all([into("books"), into("tbr")]);
    return [...books, ...items].sort((a, b) => b.id - a.id);
  },
});

/** Where the rows that an import could not take can be fetched, with their reasons. */
export function rejectedRowsPath(importId: number): string {
  return `/api/imports/${importId}/rejected`;
}

/**
 * Imports a file; `onProgress` is told how many bytes of how many are sent. Says how it ended, also to a reader who has
 * gone on to another page.
 */
export function useImport(onProgress: (progress: { sent: number; total: number }) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: ImportRequest) =>
      upload(PATHS[request.kind], formOf(request.file, request.fields), {
        key: keyOf(request),
        onProgress,
      }),
    onSuccess: (result, { kind }) => {
      libraryChanged(client);
      toast({ title: "Import successful", description: successText(kind, result) });
    },
    onError: (error) => toast({ title: "Import failed", description: sentenceOf(error, FAILED), destructive: true }),
  });
}

/** Takes back what an import made, but for what was changed since. */
export function useUndoImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (importId: number) => api.delete("/api/imports/{id}", { path: { id: importId } }),
    // After an answer that got lost, a second attempt would be told that there is nothing left to undo.
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}
