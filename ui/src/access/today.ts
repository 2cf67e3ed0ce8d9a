import { useSyncExternalStore } from "react";
import { today } from "../kit/format";
import { usePreferences } from "./preferences";

/** Milliseconds between two looks at the clock. */
const LOOKS = 60_000;

/**
 * Today in the reader's time zone, yyyy-MM-dd; in the browser's while the preferences are loading. It begins at the hour that the reader has
 * chosen. A page that stays open over it gets the new day.
 */
export function useToday(): string {
  const { data: preferences } = usePreferences();
  return useSyncExternalStore(followClock, () => today(preferences?.timezone, preferences?.dayStartsAt));
}

/** Looks at the clock from time to time, and when a page that was in the background is shown again. */
function followClock(look: () => void): () => void {
  const timer = setInterval(look, LOOKS);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
