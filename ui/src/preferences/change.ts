import { useQueryClient } from "@tanstack/react-query";
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
  return {
    /** What is being saved: shown until the answer is there. */
    pending: isPending ? variables : undefined,
    change: (changes: Partial<Preferences>, done = "Preferences updated") =>
      mutate(changes, {
        onSuccess: () => {
          // What the team sees is counted anew with somebody's books, or without.
          if (changes.shareWithTeam !== undefined) client.invalidateQueries({ queryKey: ["shared"] });
          toast({ title: done });
        },
        onError: sayRefused,
      }),
  };
}
