import type { QueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { putFile } from "../../kit/api/upload";
import { libraryChanged } from "../books/api";

/** Where a chosen picture comes from. */
export type CoverSource = "upload" | "epub" | "lookup";

/** Gives a book a cover. */
export async function putCover(client: QueryClient, id: number, file: Blob, source: CoverSource): Promise<void> {
  await putFile("/api/books/{id}/cover", file, { path: { id }, query: { source } });
  libraryChanged(client);
}

/** Takes the cover from a book. */
export async function deleteCover(client: QueryClient, id: number): Promise<void> {
  await api.delete("/api/books/{id}/cover", { path: { id } });
  libraryChanged(client);
}
