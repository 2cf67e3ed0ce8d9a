import { useCallback, useSyncExternalStore } from "react";

/** From this width on, tables replace lists of rows: the width "desktop" of `styles/tokens.css`. */
export const FROM_DESKTOP = "(min-width: 1024px)";

/** Whether a media query matches, updated when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
