import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSavePreferences } from "../access/preferences";
import { sentenceOf } from "../kit/api/client";
import type { Preferences } from "../kit/api/types";
import { toast } from "../kit/ui/toast";

/** Says why a preference was not saved. */
export function sayRefused(error: unknown): void {
  const why = sentenceOf(error, "Failed to update preferences");
  if (/premium/i.test(why)) {
    toast({ title: "Premium Feature", description: "Upgrade to access this feature", destructive: true });
  } else {
    toast({ title: "Error", description: why, destructive: true });
  }
}

/** Changes some of the preferences, and says how that went. */
export function useChangePreferences() {
  const client = useQueryClient();
  const { mutate, variables, isPending } = useSavePreferences();
  // The mutation says a moment later that it is under way; a switch must not spring back until then.
  const [asked, setAsked] = useState<Partial<Preferences>>();
  if (isPending && asked) setAsked(undefined);
  return {
    /** What is being saved: shown until the answer is there. */
    pending: isPending ? variables : asked,
    change: (changes: Partial<Preferences>, done = "Preferences updated") => {
      setAsked(changes);
      mutate(changes, {
        onSuccess: () => {
          // What the team sees is counted anew with somebody's books, or without.
          if (changes.shareWithTeam !== undefined) client.invalidateQueries({ queryKey: ["shared"] });
          toast({ title: done });
        },
        onError: sayRefused,
        onSettled: () => setAsked(undefined),
      });
    },
  };
}
