import { BASE } from "../kit/base";

/**
 * The names of what this browser keeps of a reader's mutations without a network; `library/outbox/queue.ts` writes them. Each has an
 * item of its own in localStorage, so that two tabs never write the same item. An account sees its own alone, and they outlast the end
 * of a session.
 */
const OUTBOX = `shelfwise.outbox${BASE}`;

/** The key of a mutation. Keys are in the order of the mutations: `at` is in milliseconds since 1970. */
export function entryKey(account: number, at: number, key: string): string {
  return `${OUTBOX}.${account}.${String(at).padStart(15, "0")}.${key}`;
}

/** The keys of an account's mutations, the oldest first; an empty list when the browser stores nothing. */
export function entryKeys(account: number): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(`${OUTBOX}.${account}.`))
      .sort();
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();

/** Calls `listener` after each change of what is kept, also of another tab. */
export function subscribeToOutbox(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Says that something has changed. */
export function outboxChanged(): void {
  for (const listener of listeners) listener();
}

/** Removes an account's mutations: its reader logs out, or erases the library. */
export function clearOutbox(account: number): void {
  for (const key of entryKeys(account)) localStorage.removeItem(key);
}
