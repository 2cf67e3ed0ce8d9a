/** How many waiting books stand in the drawing above the list, and how thick they are. */

import { cut, type Measure } from "../../kit/spine/lettering";

/** The height of a spine in px. */
export const HEIGHT = 120;
/** The length in px that a line of a title may have. */
const LINE = HEIGHT - 22;
/** px per 1,000 words when there is room. */
const LARGEST_SCALE = 0.5;
/** px per 1,000 words at which a novel of 90,000 words still has room for its title. */
const READABLE_SCALE = 0.2;
/** The gap between two spines in px. */
export const GAP = 3;
/** The thickness in px from which a spine has its title. */
const LETTERED = 15;
/** The thickness in px of the thinnest book when all books fit. */
const THINNEST = 6;

/**
 * The thicknesses in px of the first books, as many as fit into `room` px; `words` are those of all books, 0 when unknown.
 * All books stand in the drawing while their titles can be read; of a longer list only the first do. A book that no one knows
 * the words of is as thick as its title needs.
 */
export function thicknesses(words: readonly number[], room: number): number[] {
  const total = words.reduce((sum, value) => sum + value, 0);
  const unknown = words.filter((value) => value === 0).length;
  const left = room - words.length * GAP - unknown * LETTERED - 8;
  const fitting = total > 0 ? left / (total / 1000) : LARGEST_SCALE;
  const isLong = fitting < READABLE_SCALE;
  const scale = Math.min(LARGEST_SCALE, Math.max(READABLE_SCALE, fitting));
  const thinnest = isLong ? LETTERED : THINNEST;
  const shown: number[] = [];
  let x = 0;
  for (const value of words) {
    const width = value === 0 ? LETTERED : Math.max(thinnest, (value / 1000) * scale);
    if (x + width > room) break;
    shown.push(width);
    x += width + GAP;
  }
  return shown;
}

/**
 * A title on one line, or split at the last space that fits onto two, or else cut with an ellipsis; empty on a spine that
 * is too thin for text.
 */
export function linesOf(title: string, width: number, size: number, measure: Measure): string[] {
  const fits = (text: string) => measure(text, size) <= LINE;
  if (width < LETTERED) return [];
  if (fits(title)) return [title];
  const words = width > size * 2.6 ? title.split(" ") : [];
  for (let at = words.length - 1; at > 0; at--) {
    const lines = [words.slice(0, at).join(" "), words.slice(at).join(" ")];
    if (lines.every(fits)) return lines;
  }
  const start = cut(title, size, LINE, measure);
  return start ? [start] : [];
}
