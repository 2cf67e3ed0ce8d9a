import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Returns the ref of an element, and a function that moves the focus to it once the page is drawn. A dialog that closes in the same step has
 * returned the focus to its opener by then.
 */
export function useLaterFocus<E extends HTMLElement>(): [place: RefObject<E | null>, focus: () => void] {
  const place = useRef<E>(null);
  const [times, setTimes] = useState(0);

  useEffect(() => {
    if (times === 0) return;
    const timer = setTimeout(() => place.current?.focus({ preventScroll: true }));
    return () => clearTimeout(timer);
  }, [times]);

  return [place, () => setTimes((before) => before + 1)];
}
