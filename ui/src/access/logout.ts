import { useSyncExternalStore } from "react";
import { BASE } from "../kit/base";

/** The localStorage key that is set while a log-out has begun and the server has not confirmed it. */
const STORED_AS = `shelfwise-logout${BASE}`;

const listeners = new Set<() => void>();
let pending = stored();

function stored(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== null;
  } catch {
    // Storage may be blocked, and it does not exist while the build renders the landing page.
    return false;
  }
}

/** Records that a log-out has begun. If the page closes before the server answers, the next visit finishes the log-out. */
export function logOutBegun(): void {
  try {
    localStorage.setItem(STORED_AS, "begun");
  } catch {
    // Storage is blocked: the record then lasts until the next reload.
  }
}

/** Records that the server did not confirm a log-out. Every page is then replaced by the one that tries again. */
export function logOutFailed(): void {
  setPending(true);
}

/** Records that no log-out is pending: it was confirmed, or someone has signed in since. */
export function logOutDone(): void {
  try {
    localStorage.removeItem(STORED_AS);
  } catch {
    // Nothing was stored.
  }
  setPending(false);
}

/** Whether the server has yet to confirm a log-out of this browser. */
export function useLogOutPending(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => pending,
    () => false,
  );
}

function setPending(next: boolean): void {
  if (pending === next) return;
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
