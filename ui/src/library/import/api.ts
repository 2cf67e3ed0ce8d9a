import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, api, errorMessage, keyOf } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { PastImport } from "../../kit/api/types";
import { upload } from "../../kit/api/upload";
import { withBase } from "../../kit/base";
import { toast } from "../../kit/ui/toast";
import { useIsShown } from "../../kit/ui/useIsShown";
import { libraryChanged } from "../books/api";
import type { ImportFields, Kind } from "./model";
import { FAILED, successText } from "./texts";

/** A file's content at the time when it was chosen: the import sends exactly what was previewed. */
export interface ChosenFile {
  /** Distinguishes two choices of the same file. */
  id: number;
  name: string;
  /** Size in bytes. */
  size: number;
  content: File;
}

let lastFileId = 0;

/** A file that is not sent at all, and why. */
export interface RefusedFile {
  at: "refused";
  name: string;
  /** Size in bytes. */
  size: number;
  sentence: string;
}

/** Reads the content of a file once, unless there is a reason not to send it, or the browser can't read it. */
export async function readFile(
  file: File,
  refusal: (name: string, size: number) => string | null,
): Promise<RefusedFile | { at: "chosen"; file: ChosenFile }> {
  const { name, size, type } = file;
  const refused = (sentence: string) => ({ at: "refused", name, size, sentence }) as const;
  const sentence = refusal(name, size);
  if (sentence) return refused(sentence);
  try {
    const content = new File([await file.arrayBuffer()], name, { type });
    lastFileId += 1;
    return { at: "chosen", file: { id: lastFileId, name, size, content } };
  } catch {
    return refused("This file could not be read. Nothing was imported.");
  }
}

/** One import. The same object is sent again after a failure, so that nothing is imported twice. */
export interface ImportRequest {
  kind: Kind;
  file: ChosenFile;
  fields: ImportFields;
}

const PATHS = { books: "/api/books/import", tbr: "/api/tbr/import" } as const;

/** The form of an import: the file and the reader's choices. */
export function formOf(file: ChosenFile, fields: ImportFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file.content);
  return form;
}

/** Whether the file itself was refused, as opposed to a failure to reach the server. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** The preview of an import, which writes nothing. The previous preview stays until the new one arrives. */
export function previewQuery(kind: Kind, file: ChosenFile, fields: ImportFields) {
  return queryOptions({
    queryKey: keys.importPreview(file.id, kind, fields),
    queryFn: ({ signal }) =>
      upload(PATHS[kind], formOf(file, fields), { query: { dryRun: true }, signal, key: keyOf(file) }),
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && !isRefused(error),
  });
}

/** A past import, and the list that it was made into. */
export type KnownImport = PastImport & { kind: Kind };

/**
 * All past imports, newest first. The answer of one import does not say which list it belongs to, so each list is
 * queried on its own.
 */
export const pastImportsQuery = queryOptions({
  queryKey: keys.imports,
  queryFn: async ({ signal }): Promise<KnownImport[]> => {
    const into = async (kind: Kind) => {
      const { data } = await api.get("/api/imports", { query: { kind }, signal });
      return data.map((one) => ({ ...one, kind }));
    };
    const [books, items] = await Promise.all([into("books"), into("tbr")]);
    return [...books, ...items].sort((a, b) => b.id - a.id);
  },
});

/** The address of the refused rows of an import, with the reasons. */
export function rejectedRowsPath(importId: number): string {
  return withBase(`/api/imports/${importId}/rejected`);
}

/** The address of the rows of an import that were left out on purpose. */
export function leftOutRowsPath(importId: number): string {
  return withBase(`/api/imports/${importId}/left-out`);
}

/** Whether an import failed because its reader canceled it. */
export const wasCanceled = (error: unknown) => error instanceof Error && error.name === "AbortError";

/** How a call sends its file. */
type Sending = NonNullable<Parameters<typeof upload>[2]>;

interface SendingOptions<Request, Result> {
  send: (request: Request, sending: Sending) => Promise<Result>;
  onSuccess: (result: Result, request: Request) => void;
  onError?: (error: unknown) => void;
}

/** Sends a file, with the bytes sent and to send (both 0 until the upload begins), and a way to cancel it. */
export function useSending<Request extends object, Result>({
  send,
  onSuccess,
  onError,
}: SendingOptions<Request, Result>) {
  const [progress, setProgress] = useState({ sent: 0, total: 0 });
  const running = useRef<AbortController>(null);
  const sending = useMutation({
    mutationFn: (request: Request) => {
      setProgress({ sent: 0, total: 0 });
      running.current = new AbortController();
      return send(request, { key: keyOf(request), onProgress: setProgress, signal: running.current.signal });
    },
    retry: (failures, error) => failures < 1 && !wasCanceled(error) && !isRefused(error),
    onSuccess,
    onError: (error) => !wasCanceled(error) && onError?.(error),
  });
  return { ...sending, progress, cancel: () => running.current?.abort() };
}

/** Imports a file. A notice tells a reader who has moved on to another page how it ended. */
export function useImport() {
  const client = useQueryClient();
  const isShown = useIsShown();
  return useSending({
    send: ({ kind, file, fields }: ImportRequest, sending) => upload(PATHS[kind], formOf(file, fields), sending),
    onSuccess: (result, { kind, fields }) => {
      libraryChanged(client);
      if (fields.preferences) client.invalidateQueries({ queryKey: keys.preferences });
      if (!isShown.current) toast({ title: "Import successful", description: successText(kind, result) });
    },
    onError: (error) => toast({ title: "Import failed", description: errorMessage(error, FAILED), destructive: true }),
  });
}

/** How far the server is with an import, or with the preview of a file, asked for every second while it runs. */
export function importProgressQuery(request: object) {
  const key = keyOf(request);
  return queryOptions({
    queryKey: keys.importProgress(key),
    queryFn: ({ signal }) => api.get("/api/imports/{id}", { path: { id: key }, signal }),
    refetchInterval: 1_000,
    retry: false,
    gcTime: 0,
  });
}

/** Undoes an import, except for books that were changed since. */
export function useUndoImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (importId: number) => api.delete("/api/imports/{id}", { path: { id: importId } }),
    // When the first answer is lost, a retry would fail because there is nothing left to undo.
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}
