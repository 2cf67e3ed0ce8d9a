import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSavePreferences } from "../access/preferences";
import { errorMessage } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Preferences } from "../kit/api/types";
import { toast } from "../kit/ui/toast";

/** Shows why a preference was not saved. */
export function sayRefused(error: unknown): void {
  const why = errorMessage(error, "Failed to update preferences");
  if (/premium/i.test(why)) {
    toast({ title: "Premium Feature", description: "Upgrade to access this feature", destructive: true });
  } else {
    toast({ title: "Error", description: why, destructive: true });
  }
}

/** Saves some of the preferences, and shows the result. */
export function useChangePreferences() {
  const client = useQueryClient();
  const { mutate, variables, isPending } = useSavePreferences();
  // The mutation reports "pending" a moment later; a switch must not flip back until then.
  const [asked, setAsked] = useState<Partial<Preferences>>();
  if (isPending && asked) setAsked(undefined);
  return {
    /** The values that are being saved, shown until the answer arrives. */
    pending: isPending ? variables : asked,
    change: (changes: Partial<Preferences>, done = "Preferences updated") => {
      setAsked(changes);
      mutate(changes, {
        onSuccess: () => {
          // The team's shared figures now include or exclude this reader's books.
          if (changes.shareWithTeam !== undefined) client.invalidateQueries({ queryKey: keys.shared });
          // The streak is part of these answers.
          if (changes.streak !== undefined) {
            for (const queryKey of [keys.readingDays, keys.calendars]) client.invalidateQueries({ queryKey });
          }
          toast({ title: done });
        },
        onError: sayRefused,
        onSettled: () => setAsked(undefined),
      });
    },
  };
}
