import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { preferencesQuery, usePreferences } from "../access/preferences";
import { api } from "../kit/api/client";
import { storeAnswer } from "../kit/query";
import { toast } from "../kit/ui/toast";
import { sayRefused } from "./change";
import { currentPreview, DEFAULT_DISPLAY, type Display, displayOf, type Preview, show, usePreview } from "./display";

/** Milliseconds without movement before a slider's value is saved. */
const RESTS = 400;

/** The page filter in effect: the saved values, overridden by those that a slider shows. */
export function useDisplay(): Display {
  const { data } = usePreferences();
  return { ...displayOf(data), ...usePreview() };
}

function useSaveDisplay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Preview) => api.patch("/api/preferences", changes),
    // One save after the other, so that the last value is also the last one saved.
    scope: { id: "display" },
    onSuccess: async (answer) => {
      await storeAnswer(client, preferencesQuery.queryKey, answer);
      toast({ title: "Preferences updated" });
    },
    onError: sayRefused,
    onSettled: (_answer, _error, sent) => {
      // A slider that has moved on since keeps showing its own value.
      if (currentPreview() === sent) show({});
    },
  }).mutate;
}

/** Moves a slider. The value shows at once, and is saved when the slider rests or loses the focus. */
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

/** Restores the defaults of all four values. */
export function useResetDisplay(): () => void {
  const save = useSaveDisplay();
  return useCallback(() => {
    show(DEFAULT_DISPLAY);
    save(DEFAULT_DISPLAY);
  }, [save]);
}
