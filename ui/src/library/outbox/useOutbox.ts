import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribeToOutbox } from "../../access/outbox";
import { useToday } from "../../access/today";
import { useUser } from "../../access/viewer";
import { toast } from "../../kit/ui/toast";
import { enqueue, send, withdraw } from "./deliver";
import type { Mutation, QueueEntry } from "./mutation";
import { type Queue, queueOf } from "./queue";

/** What this browser keeps for its reader. */
export function useQueue(): Queue {
  const { id } = useUser();
  return useSyncExternalStore(subscribeToOutbox, () => queueOf(id));
}

function useReader() {
  const client = useQueryClient();
  const { id: account } = useUser();
  return { client, account, day: useToday() };
}

/** Sends a mutation now or, without a connection, as soon as there is one. */
export function useEnqueue() {
  const reader = useReader();
  return (mutation: Mutation, key?: string) =>
    enqueue({ ...reader, mutation, key, attempt: (key) => send(mutation, key) });
}

/** As {@link useEnqueue}, for a mutation whose sending is more than its call. */
export function useEnqueueWith() {
  const reader = useReader();
  return <T>(mutation: Mutation, attempt: () => Promise<T>) => enqueue({ ...reader, mutation, attempt });
}

/** Takes back what waits, and says so where it has been sent or may have been. */
export function useWithdraw() {
  const { client, account } = useReader();
  return async (entry: QueueEntry) => {
    const done = await withdraw(client, account, entry);
    if (done === "sent")
      toast({ title: "Already sent", description: "Change it on the book’s page.", destructive: true });
    if (done === "unknown")
      toast({
        title: "Taken back here",
        description: "The server may have it already. If your library shows it, change it there.",
      });
  };
}

/** What is said of a mutation that waits. */
export const WAITS = "Noted here; sent when there is a connection.";
