/** Titles on the spines of a picture: whole words on one to three lines, as large as the spine allows, never across its edge. */
import { piecesOf, wrap } from "../../../kit/spine/lettering";

/** A font of the picture, without its size. */
export type Face = "title" | "numeral" | "label" | "line" | "name" | "spine";

/** The width in px of a text in a face at a size in px. */
export type Measure = (text: string, face: Face, size: number) => number;

/** A part of a line: characters that stand upright one below the other, or a text that is turned by 90°. */
export interface Run {
  text: string;
  upright: boolean;
}

/** Chinese, Japanese and Korean characters stand upright on a spine, with the Latin characters, digits and marks of their width. */
const UPRIGHT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}、。！，．０-９？Ａ-Ｚａ-ｚ]/u;
const SMALL_KANA = /[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ]/u;
const STOPS = /[、。，．]/u;

/**
 * How far an upright character is moved to the right and down, as shares of its size. Below each other, small kana and stops
 * stand in the upper right of their square. Fonts have them at the left below, for lines from left to right.
 */
export function shiftOf(character: string): readonly [right: number, down: number] {
  if (SMALL_KANA.test(character)) return [0.1, -0.12];
  return STOPS.test(character) ? [0.56, -0.56] : [0, 0];
}

/** The parts of a line, in their order. */
export function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  for (const text of line) {
    const upright = UPRIGHT.test(text);
    const last = runs.at(-1);
    if (last && last.upright === upright) last.text += text;
    else runs.push({ text, upright });
  }
  return runs;
}

/** The length in px of a line down a spine. */
export function lengthOf(line: string, size: number, measure: Measure): number {
  return runsOf(line).reduce(
    (sum, { text, upright }) => sum + (upright ? Array.from(text).length * size * 1.04 : measure(text, "spine", size)),
    0,
  );
}

/** The line height of stacked lines, as a multiple of the font size. */
export const LEADING = 1.14;
const SMALLEST = 15;
const MOST_LINES = 3;
/** A title that is shortened to fewer characters says nothing. */
const FEWEST = 5;
/** Free room in px at both long edges of a spine. */
const EDGE = 3;

export interface Title {
  lines: string[];
  size: number;
}

/**
 * The title on a spine of `width` px with `room` px for its lines, at most `most` px large, or null when no size of at
 * least 15 px fits. A title that is too long ends with an ellipsis after a whole word.
 */
export function titleOn(title: string, width: number, room: number, most: number, measure: Measure): Title | null {
  const largest = Math.min(most, Math.floor((width - 2 * EDGE) / LEADING));
  // A title that stands upright is read more easily in one line.
  for (let size = largest; UPRIGHT.test(title) && size >= SMALLEST; size--) {
    if (lengthOf(title, size, measure) <= room) return { lines: [title], size };
  }
  for (let size = largest; size >= SMALLEST; size--) {
    const mostLines = Math.min(MOST_LINES, Math.floor((width - 2 * EDGE) / (size * LEADING)));
    const lines = wrap(title, room, (line) => lengthOf(line, size, measure));
    if (lines && lines.length <= mostLines) return { lines, size };
  }
  return largest < SMALLEST ? null : shortened(title, width, room, measure);
}

/** As many whole words as fit in the smallest size, with an ellipsis; null when that says nothing. */
function shortened(title: string, width: number, room: number, measure: Measure): Title | null {
  const most = Math.min(MOST_LINES, Math.floor((width - 2 * EDGE) / (SMALLEST * LEADING)));
  const pieces = piecesOf(title);
  while (pieces.length > 1) {
    pieces.pop();
    const kept = pieces.join("").replace(/[\s\p{P}]+$/u, "");
    if (Array.from(kept).length < FEWEST) return null;
    const lines = wrap(`${kept}…`, room, (line) => lengthOf(line, SMALLEST, measure));
    if (lines && lines.length <= most) return { lines, size: SMALLEST };
  }
  return null;
}
