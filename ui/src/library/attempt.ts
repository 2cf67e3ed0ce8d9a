import { useRef } from "react";

/**
 * For forms that make something. `attempt` gives the object of the attempt before while nothing in it has changed: pressed
 * again after a failure, the button then sends the same idempotency key, and what had got through is not made twice.
 * `done` ends that after a success.
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
