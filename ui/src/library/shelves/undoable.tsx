import type { QueryClient } from "@tanstack/react-query";
import { errorMessage } from "../../kit/api/client";
import { TextButton } from "../../kit/ui/Button";
import { toast } from "../../kit/ui/toast";
import { undoLast } from "./api";

/** Says what was done, with a button that takes it back. `onUndone`: leads back to where it was done. */
export function toastWithUndo(client: QueryClient, title: string, onUndone?: () => void): void {
  const undo = async () => {
    try {
      await undoLast(client);
      toast({ title: "Undone" });
      onUndone?.();
    } catch (error) {
      toast({ title: "Failed to undo", description: errorMessage(error), destructive: true });
    }
  };
  toast({ title, description: <TextButton onClick={undo}>Undo</TextButton> });
}
