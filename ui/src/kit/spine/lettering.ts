import type { Format } from "../api/types";

/** The fields of a book that its spine shows. */
export interface SpineBook {
  title: string;
  author: string | null;
  /** Words; they determine the thickness. */
  wordCount: number;
  /** 0 to 10, or null when unrated. */
  rating: number | null;
  format: Format;
  reread: boolean;
}

/** The width in px of a text at a font size in px. */
export type Measure = (text: string, size: number) => number;

/** One line of lettering, rotated by 90°, centred on `x`. */
export interface SpineLine {
  text: string;
  x: number;
}

/** The lettering of a spine: the title on one to three lines and, when there is room, the surname at the foot. */
export interface Lettering {
  lines: SpineLine[];
  size: number;
  who: { text: string; size: number } | null;
}

/** The thickness in px from which a spine has lettering. */
export const LETTERING_FROM = 14.5;
/** Distance in px from a spine's foot to the surname. */
export const FOOT = 17;
/** Line height of stacked lines, as a multiple of the font size. */
const LEADING = 1.16;

/** Distance in px from a spine's head to the title. The double lines of a printed binding need more. */
export function headRoom(format: Format): number {
  return format === "Print" ? 16 : 12;
}

const PARTICLES = new Set([
  "le",
  "la",
  "de",
  "du",
  "da",
  "di",
  "del",
  "der",
  "den",
  "van",
  "von",
  "ter",
  "al",
  "el",
  "bin",
  "ibn",
  "mac",
  "st.",
]);

/** What follows a surname: "Jr.", "III", "PhD". */
const SUFFIX = /^(jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d|esq)\.?$/i;

/** Names in these scripts begin with the surname: "村上 春樹". */
const SURNAME_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The last word of a name with the particles before it: "Le Guin" for "Ursula K. Le Guin". Suffixes are left out. */
export function surname(name: string | null): string {
  const parts = (name ?? "").trim().split(/\s+/);
  if (SURNAME_FIRST.test(parts[0] ?? "")) return parts[0] ?? "";
  while (parts.length > 1 && SUFFIX.test(parts.at(-1) ?? "")) parts.pop();
  if (parts.length > 1) parts.push((parts.pop() ?? "").replace(/,$/, ""));
  let start = parts.length - 1;
  while (start > 1 && PARTICLES.has((parts[start - 1] ?? "").toLowerCase())) start--;
  return parts.slice(start).join(" ");
}

/** The title cut with an ellipsis to `room` px, or "" when fewer than five characters would be left. */
export function cut(text: string, size: number, room: number, measure: Measure): string {
  const characters = Array.from(text);
  while (characters.length > 1 && measure(`${characters.join("")}…`, size) > room) characters.pop();
  const kept = characters.join("").replace(/[\s,;:&-]+$/, "");
  return kept.length >= 5 ? `${kept}…` : "";
}

/** Scripts without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Marks that open something: no line ends with one. */
const OPENING = /[\p{Ps}\p{Pi}]+$/u;

/** A title in the pieces between which a line may end: after a space, and after a word of a script without spaces. */
export function piecesOf(title: string): string[] {
  if (!UNSPACED.test(title)) return title.match(/[^ ]* |[^ ]+/g) ?? [];
  // Firefox before 125 knows no words.
  if (!("Segmenter" in Intl)) return [...title];
  const pieces: string[] = [];
  let opening = "";
  for (const { segment, isWordLike } of new Intl.Segmenter("ja", { granularity: "word" }).segment(title)) {
    const opens = OPENING.exec(segment)?.[0] ?? "";
    const rest = opening + segment.slice(0, segment.length - opens.length);
    // Other marks and spaces stay with the word before them.
    if (isWordLike || opening || pieces.length === 0) pieces.push(rest);
    else pieces[pieces.length - 1] += rest;
    opening = opens;
  }
  return [...pieces, opening].filter(Boolean);
}

/** Breaks a title into lines of at most `room` px. Returns null when a single word is longer. */
export function wrap(title: string, room: number, lengthOf: (line: string) => number): string[] | null {
  const lines: string[] = [];
  for (const piece of piecesOf(title)) {
    const joined = (lines.at(-1) ?? "") + piece;
    if (lines.length > 0 && lengthOf(joined.trimEnd()) <= room) lines[lines.length - 1] = joined;
    else lines.push(piece);
  }
  const texts = lines.map((line) => line.trimEnd()).filter(Boolean);
  return texts.length > 0 && texts.every((line) => lengthOf(line) <= room) ? texts : null;
}

/**
 * One line that shrinks to 10 px at least; otherwise up to three lines on a thick spine; otherwise a cut line when
 * there is room; otherwise nothing.
 */
function titleLines(
  title: string,
  width: number,
  room: number,
  measure: Measure,
): { texts: string[]; size: number } | null {
  const largest = Math.min(14, Math.max(10, width * 0.42));
  for (let size = largest; size >= 10; size -= 0.5) {
    if (measure(title, size) <= room) return { texts: [title], size };
  }
  if (width >= 28) {
    for (let size = Math.min(13, largest); size >= 10; size -= 0.5) {
      const texts = wrap(title, room, (line) => measure(line, size));
      if (texts && texts.length <= Math.min(3, Math.floor((width - 5) / (size * LEADING)))) return { texts, size };
    }
  }
  if (room < 92) return null;
  const size = Math.min(largest, 11.5);
  const text = cut(title, size, room, measure);
  return text ? { texts: [text], size } : null;
}

/** The lettering of a spine of `width` × `height` px, or null when the spine is too small for any. */
export function letteringOf(book: SpineBook, width: number, height: number, measure: Measure): Lettering | null {
  if (width < LETTERING_FROM) return null;
  const room = height - headRoom(book.format) - FOOT;
  const title = titleLines(book.title, width, room, measure);
  if (!title) return null;
  const { texts, size } = title;
  const lines = texts.map((text, i) => ({ text, x: width / 2 + ((texts.length - 1) / 2 - i) * size * LEADING }));
  const name = surname(book.author);
  const nameSize = Math.max(9.5, Math.min(14, Math.max(10, width * 0.42)) * 0.78);
  const longest = Math.max(...texts.map((text) => measure(text, size)));
  const fits = name !== "" && width >= 19 && longest + measure(name, nameSize) + 12 <= room;
  return { lines, size, who: fits ? { text: name, size: nameSize } : null };
}
