/** Shared parts of the generators of export files: random numbers that are the same on every machine, days, and cells. */

/** A small random number generator: the same numbers on every machine. */
export function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    chance: (p: number) => next() < p,
    oneOf: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
  };
}

/** The day `back` days before `base`, yyyy-MM-dd. */
export const day = (base: Date, back: number) =>
  new Date(base.getTime() - back * 86_400_000).toISOString().slice(0, 10);

/** yyyy/MM/dd, the format of trackers. */
export const slashed = (date: string) => date.replaceAll("-", "/");

/** A cell of a CSV, quoted when it needs to be. */
export const cell = (text: string) => (/[",\n\r]/.test(text) ? quoted(text) : text);

/** A cell in quotes, whatever it contains. */
export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A valid ISBN-13 made from a number. */
export function isbn13(number: number) {
  const digits = `978${String(number).padStart(9, "0")}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return digits + String((10 - (sum % 10)) % 10);
}
