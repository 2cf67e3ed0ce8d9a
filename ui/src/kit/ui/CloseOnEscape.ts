import { useEffect, useLayoutEffect, useRef } from "react";

/** The close functions of the floating parts that are open, the newest last. */
const open: (() => void)[] = [];

/** Marks what holds the toasts: Escape pressed in there is theirs. */
export const TOASTS = { "data-toasts": true } as const;

/**
 * Closes the newest floating part where Radix did not. Radix gives the key to its newest layer alone, and a toast is such a
 * layer: when it came after a dialog, the key closed the toast and the dialog stayed. Where the key is pressed does not
 * matter, as a button that was disabled while the server was asked leaves the focus to the page. A key that has closed
 * something already, or was handled otherwise, is prevented by then.
 */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (event.target instanceof Element && event.target.closest("[data-toasts]")) return;
  open.at(-1)?.();
}

/** Stands inside a floating part (a dialog, a menu, a popover) for as long as it is open: Escape then calls `close`. */
export function CloseOnEscape({ close }: { close: () => void }): null {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  // Listens before the part is painted, so that it hears the first key.
  useLayoutEffect(() => {
    const entry = () => latest.current();
    open.push(entry);
    // On the window, after every other listener has had the key.
    if (open.length === 1) window.addEventListener("keydown", onKeyDown);
    return () => {
      open.splice(open.indexOf(entry), 1);
      if (open.length === 0) window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return null;
}
