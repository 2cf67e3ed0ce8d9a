import { startTransition, useEffect, useState } from "react";

/** What nobody looks at just now is drawn anew once nothing has changed for so long, in ms. */
export const REST = 200;

/** A value that follows once it rests, for what need not keep up with typing. */
export function useAfterwards<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const resting = setTimeout(() => startTransition(() => setShown(value)), REST);
    return () => clearTimeout(resting);
  }, [value]);
  return shown;
}
