import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes the focus to an element whenever `step` changes, because what had it went away with the step before. With
 * `onlyIfLost` it stays with a control that is still there.
 */
export function useArrival<E extends HTMLElement>(step: unknown, { onlyIfLost = false } = {}): RefObject<E | null> {
  const place = useRef<E>(null);
  const before = useRef(step);

  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    // After this turn, in which a dialog that closes gives the focus back to what opened it.
    const timer = setTimeout(() => {
      if (!onlyIfLost || document.activeElement === document.body) place.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [step, onlyIfLost]);

  return place;
}
