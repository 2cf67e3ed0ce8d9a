/** Pure arithmetic of axes, shared by all charts. */

/** The smallest step of 1, 2, 2.5 or 5 times a power of ten with which `parts` steps reach `most`. */
export function niceStep(most: number, parts: number): number {
  if (most <= 0) return 1;
  const raw = most / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 2.5, 5].find((factor) => factor * power >= raw) ?? 10) * power;
}

/** The marks of an axis, from one step to the first mark that reaches `most`. Zero is left out. */
export function marksUpTo(most: number, parts: number): number[] {
  const step = niceStep(most, parts);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) }, (_, i) => (i + 1) * step);
}

/**
 * The indexes of `count` places that get a label, when each label needs `room` of `width` px. They are counted back
 * from the last place, which readers look for first.
 */
export function labelled(count: number, width: number, room = 74): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / room))));
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % every === 0);
}

/** A number on an axis: 600K, 2.5M; without a decimal when it is zero. */
export function axisLabel(value: number): string {
  if (value < 1e3) return String(value);
  const [size, unit] = value >= 1e6 ? [1e6, "M"] : [1e3, "K"];
  return `${Number((value / size).toFixed(1))}${unit}`;
}
