import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSavePreferences } from "../access/preferences";
import { ApiError, errorMessage } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Preferences } from "../kit/api/types";
import { toast } from "../kit/ui/toast";

/** Shows why a preference was not saved. */
export function sayRefused(error: unknown): void {
  if (error instanceof ApiError && error.code === "premium_required") {
    toast({ title: "Premium Feature", description: "Upgrade to access this feature", destructive: true });
  } else {
    toast({ title: "Error", description: errorMessage(error, "Failed to update preferences"), destructive: true });
  }
}

/** Saves some of the preferences, and shows the result. */
export function useChangePreferences() {
  const client = useQueryClient();
  const { mutateAsync, variables, isPending } = useSavePreferences();
  // The mutation reports "pending" a moment later; a switch must not flip back until then.
  const [asked, setAsked] = useState<Partial<Preferences>>();
  if (isPending && asked) setAsked(undefined);
  return {
    /** The values that are being saved, shown until the answer arrives. */
    pending: isPending ? variables : asked,
    /** Saves `changes`, and says `done` then, also when the reader has left the page meanwhile. */
    change: async (changes: Partial<Preferences>, done = "Preferences updated") => {
      setAsked(changes);
      try {
        await mutateAsync(changes);
      } catch (error) {
        return sayRefused(error);
      } finally {
        setAsked(undefined);
      }
      for (const queryKey of dependents(changes)) client.invalidateQueries({ queryKey });
      toast({ title: done });
    },
  };
}

/** The keys of the answers that depend on the changed preferences. */
function dependents({ timezone, shareWithTeam, streak }: Partial<Preferences>): readonly (readonly string[])[] {
  // Every figure of today, of this year or of the last 30 days.
  if (timezone !== undefined) return [keys.library];
  return [
    // The team's shared figures now include or exclude this reader's books.
    ...(shareWithTeam === undefined ? [] : [keys.shared]),
    ...(streak === undefined ? [] : [keys.readingDays, keys.calendars, keys.reviews]),
  ];
}
