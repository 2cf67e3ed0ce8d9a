import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribeToActs } from "../../access/outbox";
import { useToday } from "../../access/today";
import { useUser } from "../../access/viewer";
import type { Deed } from "./acts";
import { type Acts, actsOf } from "./queue";
import { perform, send } from "./send";

/** What this browser keeps for its reader. */
export function useActs(): Acts {
  const { id } = useUser();
  return useSyncExternalStore(subscribeToActs, () => actsOf(id));
}

function useDoing() {
  const client = useQueryClient();
  const { id: account } = useUser();
  return { client, account, day: useToday() };
}

/** Sends a deed now or, without a connection, as soon as there is one. */
export function usePerform() {
  const doing = useDoing();
  return (deed: Deed, key?: string) => perform({ ...doing, deed, key, attempt: (key) => send(deed, key) });
}

/** As {@link usePerform}, for a deed whose sending is more than its call. */
export function usePerformBy() {
  const doing = useDoing();
  return <T>(deed: Deed, attempt: () => Promise<T>) => perform({ ...doing, deed, attempt });
}

/** What is said of an act that waits. */
export const WAITS = "Noted here; sent when there is a connection.";
