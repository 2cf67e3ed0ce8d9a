import { ApiError } from "../kit/api/client";

/**
 * Some calls need a recent proof that it is really the reader who makes them: the server refuses them with `confirm_yourself`
 * when the last log-in or confirmation is too long ago.
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

/** Asks the reader to confirm that it is them, by the dialog of the account page; false when they would rather not. */
export function askToConfirm(): Promise<boolean> {
  if (waiting) return waiting.asked;
  let answer: (confirmed: boolean) => void = () => undefined;
  const asked = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  change({ asked, answer });
  return asked;
}

/** Makes a call that may need a confirmation: asks for it where the server says so, and then makes the call again. */
export async function withConfirmation<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!needsConfirmation(error) || !(await askToConfirm())) throw error;
    return call();
  }
}

/** For the dialog: whether it is wanted, and what the reader has answered. */
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
