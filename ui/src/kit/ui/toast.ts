import type { ReactNode } from "react";

/** What a toast says. */
export interface Message {
  title: string;
  description?: ReactNode;
  /** Something failed: a danger fill, and screen readers are interrupted. */
  destructive?: boolean;
}

export interface Shown extends Message {
  id: number;
  open: boolean;
}

/** At most so many at a time; a newer one takes the place of an older one. */
const LIMIT = 1;
/** How long a closed toast stays in memory, in milliseconds. */
const FORGOTTEN_AFTER = 1_000_000;

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a notice for 5 seconds. Can be called from anywhere. */
export function toast(message: Message): void {
  lastId += 1;
  change([{ ...message, id: lastId, open: true }, ...shown].slice(0, LIMIT));
}

/** Closes a toast; it leaves the page at once and the memory later. */
export function dismiss(id: number): void {
  change(shown.map((one) => (one.id === id ? { ...one, open: false } : one)));
  setTimeout(() => change(shown.filter((one) => one.id !== id)), FORGOTTEN_AFTER);
}

/** For `useSyncExternalStore`. */
export const toasts = {
  now: (): readonly Shown[] => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
