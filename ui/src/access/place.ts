import { type Hemisphere, hemisphereOf } from "../kit/hemisphere";
import { usePreferences } from "./preferences";
import { useToday } from "./today";

/** Where and when the reader types a date. */
export interface Place {
  /** It decides the months of a season. */
  hemisphere: Hemisphere;
  /** yyyy-MM-dd. */
  today: string;
}

/** The reader's hemisphere and today in the reader's time zone; the browser's while the preferences are loading. */
export function usePlace(): Place {
  const { data: preferences } = usePreferences();
  const today = useToday();
  return { hemisphere: preferences?.hemisphere ?? hemisphereOf(preferences?.timezone ?? ""), today };
}
