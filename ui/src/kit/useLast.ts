import { useState } from "react";

/** The value, or the last one while it is undefined: an answer stays while a later one is fetched or has failed. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
