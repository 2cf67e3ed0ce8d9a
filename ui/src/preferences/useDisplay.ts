import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { preferencesQuery, usePreferences } from "../access/preferences";
import { api } from "../kit/api/client";
import { takeIn } from "../kit/query";
import { toast } from "../kit/ui/toast";
import { sayRefused } from "./change";
import { currentPreview, DEFAULT_DISPLAY, type Display, displayOf, type Preview, show, usePreview } from "./display";

/** How long a slider rests before its value is saved, in milliseconds. */
const RESTS = 400;

/** How the page is shown now: what is saved, and over it what a slider is showing. */
export function useDisplay(): Display {
  const { data } = usePreferences();
  return { ...displayOf(data), ...usePreview() };
}

function useSaveDisplay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Preview) => api.patch("/api/preferences", changes),
    // One after the other, so that the last value is also the last one saved.
    scope: { id: "display" },
    onSuccess: async (answer) => {
      await takeIn(client, preferencesQuery.queryKey, answer);
      toast({ title: "Preferences updated" });
    },
    onError: sayRefused,
    onSettled: (_answer, _error, sent) => {
      // A slider that has moved on meanwhile keeps showing where it is.
      if (currentPreview() === sent) show({});
    },
  }).mutate;
}

/** Moves a slider: shown at once, saved when it rests or is left. */
export function useSlide(): (key: keyof Display, value: number) => void {
  const save = useSaveDisplay();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saveNow = useCallback(() => {
    clearTimeout(waiting.current);
    if (waiting.current !== undefined) save(currentPreview());
    waiting.current = undefined;
  }, [save]);
  useEffect(() => saveNow, [saveNow]);
  return (key, value) => {
    show({ ...currentPreview(), [key]: value });
    clearTimeout(waiting.current);
    waiting.current = setTimeout(saveNow, RESTS);
  };
}

/** Puts all four back to their defaults. */
export function useResetDisplay(): () => void {
  const save = useSaveDisplay();
  return useCallback(() => {
    show(DEFAULT_DISPLAY);
    save(DEFAULT_DISPLAY);
  }, [save]);
}
