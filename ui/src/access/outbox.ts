/**
 * The names of what this browser keeps of a reader's acts without a network; `library/outbox/queue.ts` writes them. Each act has an item
 * of its own in localStorage, so that two tabs never write the same item. An account sees its own acts alone, and they outlast the end of
 * a session.
 */
const OUTBOX = "shelfwise.outbox";

/** The key of an act. Keys are in the order of the acts: `at` is in milliseconds since 1970. */
export function actKey(account: number, at: number, key: string): string {
  return `${OUTBOX}.${account}.${String(at).padStart(15, "0")}.${key}`;
}

/** The keys of an account's acts, the oldest first; an empty list when the browser stores nothing. */
export function actKeys(account: number): string[] {
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
export function subscribeToActs(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Says that something has changed. */
export function actsChanged(): void {
  for (const listener of listeners) listener();
}

/** Removes an account's acts: its reader logs out, or erases the library. */
export function forgetActs(account: number): void {
  for (const key of actKeys(account)) localStorage.removeItem(key);
}
