import { useCallback, useRef, useSyncExternalStore } from "react";

/** From this width on, tables replace lists of rows: the width "wide" of `styles/tokens.css`. */
export const FROM_TABLE = "(min-width: 860px)";
/** The width "desktop". */
export const FROM_DESKTOP = "(min-width: 1024px)";

/**
 * Whether a media query matches, updated when that changes. On paper the screen's answer stays: the parts of another
 * layout would have to be fetched while the browser draws the page.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  const seen = useRef<boolean | null>(null);
  const matches = () => {
    if (seen.current === null || !window.matchMedia("print").matches) seen.current = window.matchMedia(query).matches;
    return seen.current;
  };
  return useSyncExternalStore(subscribe, matches);
}
