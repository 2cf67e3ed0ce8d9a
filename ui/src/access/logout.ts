import { useSyncExternalStore } from "react";

/** Where this browser keeps that a log-out has begun and that the server has not confirmed it. */
const STORED_AS = "shelfwise-logout";

const listeners = new Set<() => void>();
let pending = stored();

function stored(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== null;
  } catch {
    // Storage may be blocked, or absent where the build draws the landing page.
    return false;
  }
}

/** Notes that a log-out has begun: when the page is closed before the server has answered, the next visit finishes it. */
export function logOutBegun(): void {
  try {
    localStorage.setItem(STORED_AS, "begun");
  } catch {
    // Only a reload forgets it then.
  }
}

/** Notes that the server did not confirm a log-out: every page gives way to the one that tries again. */
export function logOutFailed(): void {
  setPending(true);
}

/** Notes that nobody is signed in any more, or that somebody has signed in since. */
export function logOutDone(): void {
  try {
    localStorage.removeItem(STORED_AS);
  } catch {
    // Nothing was stored.
  }
  setPending(false);
}

/** Whether the server has yet to confirm a log-out in this browser. */
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
