import { useSyncExternalStore } from "react";
import type { Measure } from "./lettering";

const seen = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** Average character widths of the serif in em, slightly too wide, for environments without a canvas. */
function guess(text: string, size: number): number {
  let width = 0;
  for (const c of text) {
    if (/[ijlI1.,:;'’!|]/.test(c)) width += 0.3;
    else if (/[frt ()-]/.test(c)) width += 0.4;
    else if (/[mwMW@&—]/.test(c)) width += 0.9;
    else width += /[A-Z]/.test(c) ? 0.7 : 0.56;
  }
  return width * size;
}

/** The font size in px at which a text is measured once; its width grows in proportion. */
const MEASURED_AT = 100;

/** Measures spine lettering with the real font, with a cache. The result is slightly too wide. */
export const measureSerif: Measure = (text, size) => {
  let width = seen.get(text);
  if (width === undefined) {
    width = measured(text);
    seen.set(text, width);
  }
  return (width / MEASURED_AT) * size;
};

/** Characters that stand upright on a spine. */
export const UPRIGHT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const EACH_UPRIGHT = new RegExp(UPRIGHT.source, "gu");

function measured(text: string): number {
  if (context === undefined) {
    context = document.createElement("canvas").getContext("2d");
    if (context) context.font = `520 ${MEASURED_AT}px "Literata Variable", Georgia, serif`;
  }
  const upright = text.match(EACH_UPRIGHT)?.length ?? 0;
  // Upright characters are as high as the font size, however broad they are.
  if (upright > 0) return upright * MEASURED_AT + measured(text.replace(EACH_UPRIGHT, ""));
  return context ? context.measureText(text).width * 1.02 : guess(text, MEASURED_AT);
}

let loads = 0;
const listeners = new Set<() => void>();

/** Forgets the widths, which belong to a fallback font. Slanted fonts are neither measured nor drawn. */
function onLoad({ fontfaces }: FontFaceSetLoadEvent): void {
  if (!fontfaces.some(({ style }) => style === "normal")) return;
  seen.clear();
  context = undefined;
  loads += 1;
  for (const listener of listeners) listener();
}

if (!import.meta.env.SSR) document.fonts?.addEventListener?.("loadingdone", onLoad);

/**
 * Changes whenever web fonts have loaded, those of further scripts included. Use it as a dependency of everything that depends on
 * measured widths.
 */
export function useFontsReady(): number {
  return useSyncExternalStore(
    subscribe,
    () => loads,
    () => 0,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
