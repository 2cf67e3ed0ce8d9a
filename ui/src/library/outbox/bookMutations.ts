import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Book } from "../../kit/api/types";
import { libraryChanged } from "../books/api";
import type { BookChange } from "../books/model";
import { useEnqueue } from "./useOutbox";

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
    mutationFn: (text: string) => enqueue({ kind: "quote", book: { id, title }, text }),
    onSuccess: ({ isPending }) => isPending || libraryChanged(client),
  });
}
