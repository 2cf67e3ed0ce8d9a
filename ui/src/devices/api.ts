import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { DocumentChange, NewDevice } from "../kit/api/types";
import { withBase } from "../kit/base";
import { libraryChanged } from "../library/books/api";

/** The reader's devices, the newest first. */
export const devicesQuery = queryOptions({
  queryKey: keys.devices,
  queryFn: ({ signal }) => api.get("/api/devices", { signal }),
  select: ({ data }) => data,
});

/** What devices call books, the one that reported last first. */
export const documentsQuery = queryOptions({
  queryKey: keys.documents,
  queryFn: ({ signal }) => api.get("/api/documents", { signal }),
  select: ({ data }) => data,
});

/** What a plan without room for more books holds, and how many documents wait for room; null where there is room. */
export const roomQuery = queryOptions({ ...documentsQuery, select: ({ full }) => full });

function useDeviceChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    // A retry could make a second login.
    retry: false,
    // A password is forgotten when the dialog that shows it closes.
    gcTime: 0,
    onSettled: () => {
      client.invalidateQueries({ queryKey: keys.devices });
    },
  });
}

/** Makes a login for a device. Its password is in this one answer only. */
export const useMakeDevice = () => useDeviceChange((device: NewDevice) => api.post("/api/devices", device));

/** Renames a device, sets its clock right, or gives it another password, which is in this one answer only. */
export const useChangeDevice = () =>
  useDeviceChange(({ id, ...change }: { id: number; name?: string; clockOffset?: number; newPassword?: true }) =>
    api.patch("/api/devices/{id}", change, { path: { id } }),
  );

export const useTakeDeviceBack = () =>
  useDeviceChange((id: number) => api.delete("/api/devices/{id}", { path: { id } }));

function useDocumentChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => {
      libraryChanged(client);
      client.invalidateQueries({ queryKey: keys.devices });
    },
  });
}

/** Says what a document is. */
export const useDecide = () =>
  useDocumentChange(({ id, ...change }: DocumentChange & { id: number }) =>
    api.put("/api/documents/{id}", change, { path: { id } }),
  );

/** Says that a book is not finished yet. */
export const useNotYet = () =>
  useDocumentChange((id: number) => api.delete("/api/documents/{id}/finish", { path: { id } }));

/** Finishes a read on the day that a device has named. */
export const useFinishOn = () =>
  useDocumentChange(({ id, day }: { id: number; day: string }) =>
    api.post("/api/documents/{id}/finish", { day }, { path: { id } }),
  );

/** Starts a further read of a finished book, which the document moves from then on. The same object is sent under the same idempotency key. */
export const useReadAgainThere = () =>
  useDocumentChange(async (asked: { id: number; bookId: number; day: string }) => {
    const { id, bookId, day } = asked;
    const again = { path: { id: bookId }, once: asked };
    const { book } = await api.post("/api/books/{id}/again", { startDate: day }, again);
    return api.put("/api/documents/{id}", { bookId: book.id }, { path: { id } });
  });

/** What stands at this server's address for devices, asked as a device asks: without the session. */
type Reached = "reached" | "another page" | "nothing";

export async function tryAddress(): Promise<Reached> {
  let response: Response;
  try {
    response = await fetch(withBase("/kosync/healthcheck"), {
      credentials: "omit",
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(10_000),
    });
  } catch {
    return "nothing";
  }
  const answer: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof answer === "object" && answer !== null && "state" in answer && answer.state === "OK";
  return isOurs ? "reached" : "another page";
}
