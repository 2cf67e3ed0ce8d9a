/**
 * The numbers of books in a series. The server reads them in the same way (`src/library/series/numbers.rs`); the tests of both read
 * `tests/fixtures/series-numbers.json`.
 */

const WORD = /^(?:(?:books?|nos?|volumes?|vols?)\.*)?/;
const NUMBER = /^\s*#*(\d{1,9}(?:\.\d{1,3})?)\s*$/;

/** The most numbers that are named of a span. */
const LONGEST_SPAN = 200;

/** The first and the last number of each part of a text: one of `4`, `#4`, `Book 4` and `4 of 7`, several of `1-3` and `1 & 2`. */
function spansOf(text: string): [number, number][] {
  const number = text
    .trim()
    .toLowerCase()
    .replace(/ and /g, "&")
    .replace(/ to /g, "-")
    .replace(/ of \s*\d+\s*$/, "")
    .replace(WORD, "");
  const spans = number.split(/[,;&+]/).map((part): [number, number] => {
    const at = part.search(/[-‐‑‒–—−]/);
    const [first, last] = at < 0 ? [part, part] : [part.slice(0, at), part.slice(at + 1)];
    return [Number(NUMBER.exec(first)?.[1] ?? Number.NaN), Number(NUMBER.exec(last)?.[1] ?? Number.NaN)];
  });
  return spans.every(([first, last]) => first <= last) ? spans : [];
}

/** The whole numbers that a book with this number has, in order: 1, 2 and 3 of `1-3`, none of `1.5`. */
export function wholeNumbers(text: string): number[] {
  return spansOf(text).flatMap(([first, last]) => {
    const from = Math.ceil(first);
    const count = Math.max(0, Math.floor(last) - from + 1);
    return Array.from({ length: Math.min(count, LONGEST_SPAN) }, (_, at) => from + at);
  });
}

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Compares the numbers of two books by the number that they begin with, then as texts; those without one come last. */
export function byNumber(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const [first, otherFirst] = [beginning(one), beginning(other)];
  return first === otherFirst ? COLLATOR.compare(one, other) : first - otherFirst;
}

function beginning(text: string): number {
  const first = spansOf(text)[0]?.[0] ?? Number.parseFloat(text);
  return Number.isNaN(first) ? Infinity : first;
}

/** A number as it is typed, behind `#` where it begins with a digit: `#4`, `#1-3`, `Book 4`. */
export const numbered = (number: string): string => (/^\d/.test(number) ? `#${number}` : number);
