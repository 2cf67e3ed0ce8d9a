import type { GrayPicture } from "./ean13";

const LEFT = [
  "0001101",
  "0011001",
  "0010011",
  "0111101",
  "0100011",
  "0110001",
  "0101111",
  "0111011",
  "0110111",
  "0001011",
];
const FIRST = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"];

/** The modules of an EAN-13 code, from the standard's own table: 1 is dark. */
export function modulesOf(code: string): string {
  const turned = (bits: string) => [...bits].map((bit) => (bit === "1" ? "0" : "1")).join("");
  const digits = [...code].map(Number);
  const parities = FIRST[digits[0] as number] as string;
  const left = digits.slice(1, 7).map((digit, at) => {
    const bits = LEFT[digit] as string;
    return parities[at] === "L" ? bits : [...turned(bits)].reverse().join("");
  });
  const right = digits.slice(7).map((digit) => turned(LEFT[digit] as string));
  return `101${left.join("")}01010${right.join("")}101`;
}

interface Manner {
  /** Degrees. */
  angle?: number;
  /** Pixels of a module. */
  module?: number;
  /** Pixels over which each point is smeared, to each side. */
  blur?: number;
  /** The largest change of a value by chance. */
  noise?: number;
  /** From left to right the light falls by so much. */
  shadow?: number;
}

/** A photo of a barcode on a grey table, as the decoder gets it. The same every time. */
export function photo(
  code: string,
  { angle = 0, module = 4, blur = 0, noise = 0, shadow = 0 }: Manner = {},
): GrayPicture {
  const [width, height] = [800, 600];
  const bits = modulesOf(code);
  const turn = (angle * Math.PI) / 180;
  const at = (x: number, y: number): number => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    const along = (dx * Math.cos(turn) + dy * Math.sin(turn)) / module + bits.length / 2;
    const across = -dx * Math.sin(turn) + dy * Math.cos(turn);
    if (Math.abs(across) > 120 || along < -11 || along > bits.length + 11) return 120;
    return bits[Math.floor(along)] === "1" ? 30 : 225;
  };
  const sharp = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Four points of each pixel, as a sensor sees them.
      const points = [0.25, 0.75].flatMap((down) => [0.25, 0.75].map((right) => at(x + right, y + down)));
      sharp[y * width + x] = points.reduce((all, value) => all + value, 0) / 4;
    }
  }
  let values = sharp;
  for (const step of [1, width]) values = smear(values, step, blur);
  let seed = 7;
  const chance = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648 - 0.5;
  };
  return {
    width,
    height,
    values: values.map((value, place) => {
      const light = 1 - (shadow * (place % width)) / width;
      return Math.max(0, Math.min(255, value * light + chance() * 2 * noise));
    }),
  };
}

function smear(values: Float32Array<ArrayBuffer>, step: number, blur: number): Float32Array<ArrayBuffer> {
  if (blur === 0) return values;
  return values.map((_, place) => {
    let [total, count] = [0, 0];
    for (let off = -blur; off <= blur; off++) {
      const value = values[place + off * step];
      if (value === undefined) continue;
      total += value;
      count++;
    }
    return total / count;
  });
}
