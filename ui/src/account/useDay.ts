import { usePreferences } from "../access/preferences";
import { dateOf, longDate, today } from "../kit/format";

/** Says on which of the reader's days something happened: "today", else the date. */
export function useDay(): (instant: string) => string {
  const { data: preferences } = usePreferences();
  return (instant) => {
    const date = dateOf(instant, preferences?.timezone);
    return date === today(preferences?.timezone) ? "today" : longDate(date);
  };
}
