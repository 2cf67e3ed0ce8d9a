import type { QueryClient } from "@tanstack/react-query";
import { errorMessage } from "../../kit/api/client";
import { toast } from "../../kit/ui/toast";
import { undo } from "./api";

interface Done {
  /** What was done, in a sentence. */
  title: string;
  /** The operation; null where nothing changed, so that nothing is said. */
  operation: number | null;
  /** Leads back to where it was done. */
  onUndone?: () => void;
}

/** Says what was done, with a button that takes it back. */
export function toastWithUndo(client: QueryClient, { title, operation, onUndone }: Done): void {
  if (operation === null) return;
  const takeBack = async () => {
    try {
      await undo(client, operation);
      toast({ title: "Undone" });
      onUndone?.();
    } catch (error) {
      toast({
        title: "Failed to undo",
        description: errorMessage(error, "It could not be undone."),
        destructive: true,
      });
    }
  };
  toast({ title, undo: takeBack });
}
