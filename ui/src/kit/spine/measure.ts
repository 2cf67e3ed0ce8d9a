import { useEffect, useState } from "react";
import type { Measure } from "./lettering";

const seen = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** Average advances of the serif in em, wide rather than narrow: for where there is no canvas. */
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

/** Measures spine lettering with the real font, remembering what it has seen. */
export const measureSerif: Measure = (text, size) => {
  const key = `${size} ${text}`;
  const known = seen.get(key);
  if (known !== undefined) return known;
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return guess(text, size);
  context.font = `520 ${size}px "Literata Variable", Georgia, serif`;
  const width = context.measureText(text).width * 1.02;
  seen.set(key, width);
  return width;
};

/**
 * Changes once the web fonts have arrived: widths measured before that belong to a fallback font.
 * Take it as a dependency of whatever was measured.
 */
export function useFontsReady(): boolean {
  const [ready, setReady] = useState(() => document.fonts?.status === "loaded");
  useEffect(() => {
    if (ready || !document.fonts) return;
    let wanted = true;
    document.fonts.ready.then(() => {
      seen.clear();
      if (wanted) setReady(true);
    });
    return () => {
      wanted = false;
    };
  }, [ready]);
  return ready;
}
