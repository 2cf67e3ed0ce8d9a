import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to an element whenever `step` changes, because the element that had it disappeared with the previous
 * step. With `onlyIfLost` the focus stays on a control that still exists. The first step comes after undefined, and moves nothing.
 */
export function useStepFocus<E extends HTMLElement>(step: unknown, { onlyIfLost = false } = {}): RefObject<E | null> {
  const place = useRef<E>(null);
  const before = useRef(step);

  useEffect(() => {
    const former = before.current;
    before.current = step;
    if (former === step || former === undefined) return;
    // After this task, in which a closing dialog returns the focus to the element that opened it.
    const timer = setTimeout(() => {
      if (!onlyIfLost || document.activeElement === document.body) place.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [step, onlyIfLost]);

  return place;
}
