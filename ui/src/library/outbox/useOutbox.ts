import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribeToOutbox } from "../../access/outbox";
import { useToday } from "../../access/today";
import { useUser } from "../../access/viewer";
import { enqueue, send } from "./deliver";
import type { Mutation } from "./mutation";
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

/** What is said of a mutation that waits. */
export const WAITS = "Noted here; sent when there is a connection.";
