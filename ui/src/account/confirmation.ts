import { ApiError } from "../kit/api/client";

/**
 * Some calls require a recent confirmation that the reader is the one who makes them. The server refuses them with
 * `confirm_yourself` when the last sign-in or confirmation is too long ago.
 */
export function needsConfirmation(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code === "confirm_yourself";
}

let waiting: { asked: Promise<boolean>; answer: (confirmed: boolean) => void } | null = null;
const listeners = new Set<() => void>();

function change(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Asks the reader to confirm their identity in the page's dialog. Resolves to false when the reader cancels. */
export function askToConfirm(): Promise<boolean> {
  if (waiting) return waiting.asked;
  let answer: (confirmed: boolean) => void = () => undefined;
  const asked = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  change({ asked, answer });
  return asked;
}

/**
 * Makes a call that may need a confirmation. When the server asks for one, it opens the dialog and then makes the call
 * again.
 */
export async function withConfirmation<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!needsConfirmation(error) || !(await askToConfirm())) throw error;
    return call();
  }
}

/** The state of the dialog: whether it is open, and the function that takes the reader's answer. */
export const confirmation = {
  isAsked: (): boolean => waiting !== null,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  answer: (confirmed: boolean): void => {
    const asked = waiting;
    change(null);
    asked?.answer(confirmed);
  },
};
