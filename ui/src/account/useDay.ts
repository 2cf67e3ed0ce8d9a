import { usePreferences } from "../access/preferences";
import { dateOf, longDate, today } from "../kit/format";

/** Returns a function that names the day of an instant in the reader's time zone: "today", otherwise the date. */
export function useDay(): (instant: string) => string {
  const { data: preferences } = usePreferences();
  return (instant) => {
    const date = dateOf(instant, preferences?.timezone);
    return date === today(preferences?.timezone) ? "today" : longDate(date);
  };
}
