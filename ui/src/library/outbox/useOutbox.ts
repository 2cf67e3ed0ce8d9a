import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribeToActs } from "../../access/outbox";
import { useToday } from "../../access/today";
import { useUser } from "../../access/viewer";
import type { Deed } from "./acts";
import { type Acts, actsOf } from "./queue";
import { type Done, newKey, perform, send } from "./send";

/** What this browser keeps for its reader. */
export function useActs(): Acts {
  const { id } = useUser();
  return useSyncExternalStore(subscribeToActs, () => actsOf(id));
}

/** Sends a deed now or, without a connection, as soon as there is one. */
export function usePerform() {
  const client = useQueryClient();
  const { id: account } = useUser();
  const day = useToday();
  return <T = unknown>(deed: Deed, attempt?: () => Promise<T>, key = newKey()): Promise<Done<T>> =>
    perform<T>({ client, account, deed, day, key, attempt: attempt ?? (() => send(deed, key) as Promise<T>) });
}

/** What is said of an act that waits. */
export const WAITS = "Noted here; sent when there is a connection.";
