import { isIsbn } from "../../books/isbn";
/**
 * Reads ISBN barcodes (EAN-13 of 978 and 979) from gray values. Lines are laid over the picture at many angles; along each the
 * widths of dark and light bars are measured at the points where the brightness crosses the mean of its surroundings, so that
 * blur and shadows do not move them much.
 */

/** A picture of gray values from 0 to 255, row by row. */
export interface GrayPicture {
  width: number;
  height: number;
  values: ArrayLike<number>;
}

/** The widths of the bars of each digit, in modules; those of even parity are the same from behind. */
const DIGITS: readonly (readonly number[])[] = [
  [3, 2, 1, 1],
  [2, 2, 2, 1],
  [2, 1, 2, 2],
  [1, 4, 1, 1],
  [1, 1, 3, 2],
  [1, 2, 3, 1],
  [1, 1, 1, 4],
  [1, 3, 1, 2],
  [1, 2, 1, 3],
  [3, 1, 1, 2],
];
/** The first digit by the parities of the next six; 1 is even. */
const PARITIES = ["000000", "001011", "001101", "001110", "010011", "011001", "011100", "010101", "010110", "011010"];

/** Bars of a code: three at each end, five in the middle, four a digit. */
const BARS = 59;
const MODULES = 95;
/** The largest sum of the differences between the bars of a digit and those that it should have, in modules. */
const WORST_DIGIT = 1.6;

/** The angles at which lines are laid, in degrees; upright pictures first. */
const ANGLES = [0, 90, 8, -8, 82, 98, 16, -16, 24, -24, 32, -32, 40, -40, 48, -48, 56, -56, 64, -64, 72, -72];
/** Lines at each angle. */
const LINES = 25;

/** The ISBN that two lines of a picture agree on; null when there is none. */
export function readIsbn(picture: GrayPicture): string | null {
  const seen = new Set<string>();
  for (const angle of ANGLES) {
    for (let at = 0; at < LINES; at++) {
      const code = readLine(lineOf(picture, angle, at));
      if (code === null) continue;
      if (seen.has(code)) return code;
      seen.add(code);
    }
  }
  return null;
}

/** The ISBN along a line of gray values, in either direction; null when there is none. */
export function readLine(values: ArrayLike<number>): string | null {
  const { widths, startsDark } = barsOf(values);
  return (
    codeIn(widths, startsDark) ?? codeIn([...widths].reverse(), widths.length % 2 === 1 ? startsDark : !startsDark)
  );
}

/** The gray values along a line across the picture, one a pixel, each the mean of three beside each other. */
function lineOf({ width, height, values }: GrayPicture, angle: number, at: number): Float32Array {
  const turn = (angle * Math.PI) / 180;
  const [along, across] = [Math.cos(turn), Math.sin(turn)];
  // Half the length of the line, and half the width of the stripe in which the lines lie.
  const reach = (Math.abs(along) * width + Math.abs(across) * height) / 2;
  const spread = (Math.abs(across) * width + Math.abs(along) * height) / 2;
  const aside = ((at + 0.5) / LINES - 0.5) * 2 * spread * 0.8;
  const line = new Float32Array(Math.max(0, Math.floor(2 * reach)));
  let length = 0;
  for (let step = 0; step < line.length; step++) {
    const x = width / 2 + (step - reach) * along - aside * across;
    const y = height / 2 + (step - reach) * across + aside * along;
    if (x < 1 || y < 1 || x >= width - 2 || y >= height - 2) continue;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - column, y - row];
    const first = row * width + column;
    const value = (place: number) => values[place] as number;
    line[length++] =
      (value(first) * (1 - right) + value(first + 1) * right) * (1 - down) +
      (value(first + width) * (1 - right) + value(first + width + 1) * right) * down;
  }
  return line.subarray(0, length);
}

/** The widths of the bars along a line, and whether the first one is dark. */
function barsOf(values: ArrayLike<number>): { widths: number[]; startsDark: boolean } {
  const length = values.length;
  const sums = new Float64Array(length + 1);
  let [darkest, lightest] = [255, 0];
  for (let at = 0; at < length; at++) {
    const value = values[at] as number;
    sums[at + 1] = (sums[at] as number) + value;
    darkest = Math.min(darkest, value);
    lightest = Math.max(lightest, value);
  }
  const around = Math.max(8, Math.floor(length / 12));
  const above = (at: number) => {
    const [from, to] = [Math.max(0, at - around), Math.min(length, at + around + 1)];
    return (values[at] as number) - ((sums[to] as number) - (sums[from] as number)) / (to - from);
  };
  // Noise around the mean is not a bar.
  const least = (lightest - darkest) * 0.04;
  const edges: number[] = [];
  let [isDark, crossing, before]: [boolean | null, number, number] = [null, 0, 0];
  let startsDark = false;
  for (let at = 0; at < length; at++) {
    const now = above(at);
    if (at > 0 && before < 0 !== now < 0) crossing = at - 1 + before / (before - now);
    before = now;
    if (Math.abs(now) < least || isDark === now < 0) continue;
    if (isDark === null) startsDark = now < 0;
    else edges.push(crossing);
    isDark = now < 0;
  }
  // The first and the last bar have only one edge.
  return { widths: edges.slice(1).map((edge, at) => edge - (edges[at] as number)), startsDark: !startsDark };
}

function codeIn(widths: readonly number[], startsDark: boolean): string | null {
  for (let start = startsDark ? 0 : 1; start + BARS <= widths.length; start += 2) {
    const code = codeAt(widths.slice(start, start + BARS));
    if (code !== null) return code;
  }
  return null;
}

function codeAt(bars: readonly number[]): string | null {
  const module = sum(bars) / MODULES;
  const areNarrow = (from: number, to: number) =>
    bars.slice(from, to).every((bar) => bar > module * 0.3 && bar < module * 1.9);
  if (!areNarrow(0, 3) || !areNarrow(27, 32) || !areNarrow(56, 59)) return null;
  let [digits, parities] = ["", ""];
  for (let at = 0; at < 12; at++) {
    const from = at < 6 ? 3 + 4 * at : 8 + 4 * at;
    const read = digitOf(bars.slice(from, from + 4), at < 6);
    if (read === null) return null;
    digits += read.digit;
    if (at < 6) parities += read.isEven ? "1" : "0";
  }
  const first = PARITIES.indexOf(parities);
  const code = `${first}${digits}`;
  return first >= 0 && isIsbn(code) ? code : null;
}

/** The digit whose bars are nearest to these. */
function digitOf(bars: readonly number[], isLeft: boolean): { digit: number; isEven: boolean } | null {
  const scale = 7 / sum(bars);
  let best: { digit: number; isEven: boolean } | null = null;
  let least = WORST_DIGIT;
  for (const [digit, widths] of DIGITS.entries()) {
    for (const isEven of isLeft ? [false, true] : [false]) {
      const wanted = isEven ? [...widths].reverse() : widths;
      const off = sum(bars.map((bar, at) => Math.abs(bar * scale - (wanted[at] as number))));
      if (off < least) [best, least] = [{ digit, isEven }, off];
    }
  }
  return best;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
