import { useEffect, useLayoutEffect, useRef } from "react";

/** The close functions of the open dialogs, menus and popovers, the newest last. */
const open: (() => void)[] = [];

/** Marks the container of the toasts. An Escape pressed inside it belongs to the toasts. */
export const TOASTS = { "data-toasts": true } as const;

/**
 * Closes the newest dialog, menu or popover when Radix has not closed it. Radix passes the key to its newest layer
 * only, and a toast is such a layer: when a toast appears after a dialog, the key closes the toast and the dialog stays
 * open. The target of the key does not matter, because a button that is disabled while the server is asked leaves the
 * focus on the page. When the key has already closed something or was handled otherwise, its default is prevented.
 */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (event.target instanceof Element && event.target.closest("[data-toasts]")) return;
  open.at(-1)?.();
}

/** Rendered inside a dialog, menu or popover for as long as it is open: Escape then calls `close`. */
export function CloseOnEscape({ close }: { close: () => void }): null {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  // The listener is added before the first paint, so that it also receives the first key.
  useLayoutEffect(() => {
    const entry = () => latest.current();
    open.push(entry);
    // The listener is on the window, so it runs after all others.
    if (open.length === 1) window.addEventListener("keydown", onKeyDown);
    return () => {
      open.splice(open.indexOf(entry), 1);
      if (open.length === 0) window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return null;
}
