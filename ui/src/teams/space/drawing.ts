import type { Challenge } from "../../kit/api/types";
import type { Blue } from "../../kit/spine/blue";
import { type Measure, surname } from "../../kit/spine/lettering";
import { amount } from "./model";
import { readerBlues } from "./readers";

/**
 * A challenge as a shelf that fills towards a mark. Pure, so that the rules can be tested without a browser. Lengths
 * are in px; the numbers are the design's.
 */

/** Top and foot of the spines; the board is below them, and its ruler below that. */
export const TOP = 10;
export const BASE = 74;
export const BOARD = 4;
export const HEIGHT = BASE + 28;

/** A member's words as one spine, or one of their books. */
interface ChallengeSpine {
  x: number;
  width: number;
  blue: Blue;
  /** The reader's name, written along the spine when it is narrow; null when there is no room. */
  name: { text: string; along: boolean } | null;
}

interface ChallengeTick {
  x: number;
  /** The number of a longer mark, when there is room for it. */
  label: string | null;
  major: boolean;
}

export interface ChallengeLayout {
  spines: ChallengeSpine[];
  /** What is missing to the target, dashed; null once it is nearly reached. */
  missing: { x: number; width: number } | null;
  ticks: ChallengeTick[];
  target: {
    x: number;
    label: string;
    /** Whether the label ends at the drawing's edge. */
    atEdge: boolean;
    /** Whether the spines go past the mark and interrupt its line. */
    passed: boolean;
  };
}

/** Below this width a book is not drawn as a spine of its own. */
const NARROWEST_BOOK = 3;
const SIZE = 13;
const SIZE_ALONG = 12;
/** Room between the number of a mark and that of the target. */
const CLEAR = 44;

/** Lays a challenge out on a board of `width` px. */
export function layoutChallenge(challenge: Challenge, width: number, measure: Measure): ChallengeLayout {
  const { metric, target, total } = challenge;
  const scale = width / Math.max(target * 1.06, total * 1.04);
  const blueOf = readerBlues(challenge.members);
  const spines: ChallengeSpine[] = [];
  let x = 0;
  for (const { userId, displayName, value } of challenge.members) {
    const blue = blueOf(userId);
    if (metric === "books" && scale >= NARROWEST_BOOK) {
      const gap = scale > 9 ? 2 : 1;
      for (let i = 0; i < value; i++) spines.push({ x: x + i * scale, width: scale - gap, blue, name: null });
    } else if (value > 0) {
      const thick = Math.max(3, value * scale - 2);
      spines.push({ x, width: thick, blue, name: lettered(displayName, thick, measure) });
    }
    x += value * scale;
  }
  const mark = target * scale;
  return {
    spines,
    missing: mark - x > 6 ? { x: x + 1.5, width: mark - x - 3 } : null,
    ticks: ruler(challenge, width, scale, mark),
    target: { x: mark, label: amount(target, metric), atEdge: mark > width - 14, passed: x > mark + 3 },
  };
}

/** The whole name across the spine, otherwise the surname across or along the spine, otherwise nothing. */
function lettered(name: string, width: number, measure: Measure): ChallengeSpine["name"] {
  const last = surname(name);
  if (measure(name, SIZE) < width - 16) return { text: name, along: false };
  if (measure(last, SIZE) < width - 14) return { text: last, along: false };
  const fitsAlong = width > 15 && measure(last, SIZE_ALONG) < BASE - TOP - 6;
  return fitsAlong ? { text: last, along: true } : null;
}

/** Marks at every 1, 2 or 5 of a power of ten, with a number at every fifth; marks of books are whole numbers. */
function ruler({ metric }: Challenge, width: number, scale: number, mark: number): ChallengeTick[] {
  const room = width < 500 ? 64 : 90;
  const least = metric === "words" ? 10_000 : 5;
  const step = Math.max(least, roundUp(room / scale));
  const minor = step / 5;
  const ticks: ChallengeTick[] = [];
  for (let i = 0; i * minor * scale < width - 1; i++) {
    const x = i * minor * scale;
    const major = i % 5 === 0;
    const hasRoom = major && Math.abs(x - mark) > CLEAR && x < width - 18;
    ticks.push({ x, major, label: hasRoom ? amount(i * minor, metric) : null });
  }
  return ticks;
}

/** The next number that is 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}
