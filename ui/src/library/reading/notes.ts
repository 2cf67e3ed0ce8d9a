import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, errorMessage } from "../../kit/api/client";
import type { Book, ReadingDay } from "../../kit/api/types";
import { toast } from "../../kit/ui/toast";
import { libraryChanged } from "../books/api";
import { type NotedDay, putDay, readingDaysQuery } from "../books/workQueries";
import { useNotePlace } from "../outbox/bookMutations";

/** A note of today as it was sent, and the day of the log before it. */
export interface Noted extends NotedDay {
  before: ReadingDay | undefined;
}

/** Notes a place of today, now or as soon as there is a connection. The place is shown before the note counts as done. */
export function useNoteToday(book: Pick<Book, "id" | "title">) {
  const client = useQueryClient();
  const putUndoable = async (id: number, { day, payload }: NotedDay): Promise<Noted> => {
    const { data } = await api.get("/api/books/{id}/days", { path: { id } });
    const { book } = await putDay(id, { day, payload });
    await showBook(client, book);
    return { day, payload, before: data.find((logged) => logged.day === day && !logged.dismissed) };
  };
  return useNotePlace(book, putUndoable);
}

/** Notes that an open book was read today, without a place. `onNoted` is called as that of a form is. */
export function useReadToday(book: Book, today: string, onNoted: (note: Noted | null) => void) {
  const { mutateAsync, isPending } = useNoteToday(book);
  const readToday = async () => {
    try {
      const done = await mutateAsync({ day: today, payload: {} });
      onNoted(done.isPending ? null : done.answer);
    } catch (error) {
      toast({ title: "Failed to note", description: errorMessage(error, "Please try again."), destructive: true });
    }
  };
  return { readToday, isPending };
}

/** Shows an open book as the server has it now, so that the next step starts at its new place. */
async function showBook(client: QueryClient, book: Book): Promise<void> {
  const { queryKey } = readingDaysQuery;
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (reading) => {
    const open = reading?.open.map((one) => (one.book.id === book.id ? { ...one, book } : one));
    return reading && open && { ...reading, open };
  });
}

/** Takes a note back: the log has what it had before. */
export function useUndoNote(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ day, before }: Pick<Noted, "day" | "before">) => {
      const path = { id, day };
      if (!before) return api.delete("/api/books/{id}/days/{day}", { path });
      const { at, page, time, minutes, note } = before;
      const place = time !== null ? { time } : page === null && at !== null ? { percent: at / 100 } : { page };
      await putDay(id, { day, payload: { ...place, minutes, note } });
    },
    onSuccess: () => libraryChanged(client),
  });
}
