import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Book } from "../../kit/api/types";
import { libraryChanged } from "../books/api";
import type { BookChange } from "../books/model";
import { type NotedDay, putDay } from "../books/workQueries";
import type { NewQuote } from "./mutation";
import { useEnqueue, useEnqueueWith } from "./useOutbox";

/** Finishes a read, now or as soon as there is a connection. */
export function useFinish({ id, title }: Pick<Book, "id" | "title">) {
  const client = useQueryClient();
  const enqueue = useEnqueue();
  return useMutation({
    mutationFn: (change: Partial<BookChange>) => enqueue({ kind: "finish", book: { id, title }, change }),
    onSuccess: ({ isPending }) => isPending || libraryChanged(client),
  });
}

/** Keeps a quote of a book, now or as soon as there is a connection. */
export function useKeepQuote({ id, title }: Pick<Book, "id" | "title">) {
  const client = useQueryClient();
  const enqueue = useEnqueue();
  return useMutation({
    mutationFn: (quote: NewQuote) => enqueue({ kind: "quote", book: { id, title }, ...quote }),
    onSuccess: ({ isPending }) => isPending || libraryChanged(client),
  });
}

/** Notes what was read on a day, now or as soon as there is a connection. `write` sends the note when there is one. */
export function useNotePlace<T = Awaited<ReturnType<typeof putDay>>>(
  { id, title }: Pick<Book, "id" | "title">,
  write: (id: number, noted: NotedDay) => Promise<T> = putDay as typeof write,
) {
  const client = useQueryClient();
  const enqueue = useEnqueueWith();
  return useMutation({
    mutationFn: (noted: NotedDay) =>
      enqueue({ kind: "place", book: { id, title }, date: noted.day, payload: noted.payload }, () => write(id, noted)),
    onSuccess: ({ isPending }) => isPending || libraryChanged(client),
  });
}
