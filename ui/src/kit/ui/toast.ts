import type { ReactNode } from "react";

/** The content of a toast. */
export interface Message {
  title: string;
  description?: ReactNode;
  /** A failure: a danger fill, and screen readers announce it at once. */
  destructive?: boolean;
}

export interface Shown extends Message {
  id: number;
  open: boolean;
}

/** The maximum number of toasts at a time; a newer toast replaces an older one. */
const LIMIT = 1;
/** Milliseconds that a closed toast stays in memory. */
const FORGOTTEN_AFTER = 1_000_000;

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a notice for 5 seconds. It can be called from anywhere. */
export function toast(message: Message): void {
  lastId += 1;
  change([{ ...message, id: lastId, open: true }, ...shown].slice(0, LIMIT));
}

/** Closes a toast. It leaves the page at once and the memory later. */
export function dismiss(id: number): void {
  change(shown.map((one) => (one.id === id ? { ...one, open: false } : one)));
  setTimeout(() => change(shown.filter((one) => one.id !== id)), FORGOTTEN_AFTER);
}

/** The store for `useSyncExternalStore`. */
export const toasts = {
  now: (): readonly Shown[] => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
