import type { ReactNode } from "react";

/** The content of a toast. */
export interface Message {
  title: string;
  description?: ReactNode;
  /** Takes back what the toast tells of. */
  undo?: () => void;
  /** A failure: a danger fill, and screen readers announce it at once. */
  destructive?: boolean;
}

export interface Shown extends Message {
  id: number;
}

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a notice for 5 seconds, in place of the one before. It can be called from anywhere. What can be undone stays beside a notice. */
export function toast(message: Message): void {
  lastId += 1;
  const kept = message.undo ? [] : shown.filter(({ undo }) => undo);
  change([...kept, { ...message, id: lastId }]);
}

/** Takes a toast from the page. */
export function dismiss(id: number): void {
  change(shown.filter((one) => one.id !== id));
}

/** The store for `useSyncExternalStore`. */
export const toasts = {
  now: (): readonly Shown[] => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
