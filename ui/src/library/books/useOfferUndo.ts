import { errorMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { toast } from "../../kit/ui/toast";
import { useUpdateBook } from "./api";

/** Tells that a read is over, with a way to take it back: `read` is open again as it was, and `more` undoes what came with its end. */
export function useOfferUndo(read: Pick<Book, "id" | "title" | "startDate" | "pausedSince">) {
  const { mutateAsync } = useUpdateBook(read.id);
  return (title: string, more?: () => Promise<unknown>) => {
    const undo = async () => {
      try {
        const { startDate, pausedSince } = read;
        await mutateAsync({ change: { status: "in-progress", startDate, pausedSince } });
        await more?.();
        toast({ title: "In progress again", description: read.title });
      } catch (error) {
        toast({ title: "Failed to undo", description: errorMessage(error, "Please try again."), destructive: true });
      }
    };
    toast({ title, description: read.title, undo });
  };
}
