import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { libraryChanged } from "../books/api";

/** Says that a file of this digest is a book: what devices report of it moves the book. */
export const useNameFile = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, digest }: { id: number; digest: string }) =>
      api.post("/api/books/{id}/documents", { digest }, { path: { id } }),
    onSettled: () => libraryChanged(client),
  });
};
