import { startTransition, useEffect, useState } from "react";

/**
 * A value once it has not changed for `rest` milliseconds: what is typed, when typing pauses. What follows from it is drawn in
 * slices between which the page answers.
 */
export function useDebouncedTransition<Value>(value: Value, rest: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(value)), rest);
    return () => clearTimeout(timer);
  }, [value, rest]);
  return rested;
}
