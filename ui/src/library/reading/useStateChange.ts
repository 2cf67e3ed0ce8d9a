import type { Book } from "../../kit/api/types";
import { toast } from "../../kit/ui/toast";
import { refusalText } from "../books/AlreadyReading";
import { useUpdateBook } from "../books/api";

/** Pauses a read, or goes on with one that is paused, was given up, or was not finished after all. */
export function useStateChange(read: Book, today: string, onChanged: () => void) {
  const { mutateAsync, isPending } = useUpdateBook(read.id);
  const change = async (to: "pause" | "read-on") => {
    const resumed = read.status === "in-progress" ? { pausedSince: null } : ({ status: "in-progress" } as const);
    try {
      const answer = await mutateAsync({
        change: to === "pause" ? { pausedSince: today } : resumed,
      });
      const isRatingGone = answer.cleared?.includes("rating");
      toast({
        title: to === "pause" ? "Paused" : "Resumed",
        ...(isRatingGone ? { description: "The rating was removed. You can rate the book when you finish it." } : {}),
      });
      onChanged();
    } catch (error) {
      toast({ title: "Failed to update book", description: refusalText(error), destructive: true });
    }
  };
  return { change, isPending };
}
