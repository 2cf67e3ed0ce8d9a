import { usePreferences } from "./preferences";

/** The reader's time zone, an IANA name; undefined while the preferences are loading: the browser's is used then. */
export function useZone(): string | undefined {
  return usePreferences().data?.timezone;
}
