import { useRef } from "react";

/**
 * For forms that create something. `attempt` returns the previous attempt's object while its content is unchanged.
 * Pressing the button again after a failure therefore sends the same idempotency key, and a book that had reached the
 * server is not created twice. Call `done` after a success.
 */
export function useAttempt<Payload extends object>() {
  const last = useRef<Payload>(null);
  return {
    attempt: (payload: Payload): Payload => {
      if (last.current && JSON.stringify(last.current) === JSON.stringify(payload)) return last.current;
      last.current = payload;
      return payload;
    },
    done: () => {
      last.current = null;
    },
  };
}
