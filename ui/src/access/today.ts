import { today } from "../kit/format";
import { usePreferences } from "./preferences";

/** Today in the reader's time zone, yyyy-MM-dd; in the browser's while the preferences are loading. */
export function useToday(): string {
  const { data: preferences } = usePreferences();
  return today(preferences?.timezone);
}
