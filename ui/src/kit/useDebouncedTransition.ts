import { startTransition, useEffect, useState } from "react";

/**
 * A value after it has not changed for `rest` milliseconds, for example a text when typing pauses. The update is a
 * transition, so the page stays responsive while it renders.
 */
export function useDebouncedTransition<Value>(value: Value, rest: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(value)), rest);
    return () => clearTimeout(timer);
  }, [value, rest]);
  return rested;
}
