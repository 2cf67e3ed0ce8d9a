import { useSyncExternalStore } from "react";
import type { Preferences } from "../kit/api/types";

/** The page filter, in per cent. */
export type Display = Pick<Preferences, "brightness" | "contrast" | "sepia" | "grayscale">;

export const DEFAULT_DISPLAY: Display = { brightness: 100, contrast: 100, sepia: 0, grayscale: 0 };

const KEYS = ["brightness", "contrast", "sepia", "grayscale"] as const;

/** The four values of the page filter; the defaults while the preferences are loading. */
export function displayOf(preferences: Preferences | undefined): Display {
  const { brightness, contrast, sepia, grayscale } = preferences ?? DEFAULT_DISPLAY;
  return { brightness, contrast, sepia, grayscale };
}

/** The CSS filter; "" when all four values are the defaults. */
export function filterOf(display: Display): string {
  return KEYS.filter((key) => display[key] !== DEFAULT_DISPLAY[key])
    .map((key) => `${key}(${display[key]}%)`)
    .join(" ");
}

/** Whether a page with this filter may be too dark, too pale or too flat to read. */
export function isHardToRead({ brightness, contrast }: Display): boolean {
  return brightness < 40 || brightness > 170 || contrast < 40;
}

/** Values that a slider shows and that are not saved yet. */
export type Preview = Partial<Display>;

let preview: Preview = {};
const listeners = new Set<() => void>();

/** Shows values before they are saved; `{}` ends that. */
export function show(next: Preview): void {
  preview = next;
  for (const listener of listeners) listener();
}

export function currentPreview(): Preview {
  return preview;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePreview(): Preview {
  return useSyncExternalStore(subscribe, currentPreview);
}
