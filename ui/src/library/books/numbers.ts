/** Numbers as readers type them. */
import type { Book, Format } from "../../kit/api/types";

/** The words counted for one page when only the number of pages is known. */
export const WORDS_PER_PAGE = 275;
/** The words counted for one minute of an audiobook when only its length is known. */
export const WORDS_PER_MINUTE = 155;
/** Up to so many pages of an audiobook are its hours or discs. */
const HOURS_OR_DISCS = 60;

/** Digits of any script, full-width ones included, as `0` to `9`. */
function withPlainDigits(typed: string): string {
  return typed.normalize("NFKC").replace(/[^\d]/gu, (sign) => {
    if (!/\p{Nd}/u.test(sign)) return sign;
    // The ten digits of a script follow each other, so the value is the distance from the first one.
    let value = 0;
    const code = sign.codePointAt(0) ?? 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}

const UNIT = /\s*(words?|pages?|pp?\.?)$/i;
const WHOLE = /^-?\d+$/;
/** `1,234,567`, `1.234.567`, `1 234 567`, and the Indian `12,34,567`. */
const GROUPED = /^\d{1,3}([,.'’٬\s]\d{3})+$|^\d{1,2}(,\d{2})+,\d{3}$/u;
/** `95k`, `1.2M`. Three digits after a separator could also be thousands, so they are refused. */
const SHORT = /^(\d+)(?:[.,](\d{1,2}|\d{4,}))?\s*(k|m)$/i;

/**
 * A typed whole number: `95000`, `95,000`, `95k`, `1.2M`, `480 pages`, in the digits of any script. A text without a
 * digit is 0, and null stands for a text with digits that has no clear meaning.
 */
export function readNumber(typed: string): number | null {
  const text = withPlainDigits(typed).trim().replace(UNIT, "");
  if (!/\d/.test(text)) return 0;
  if (WHOLE.test(text)) return Number(text);
  if (GROUPED.test(text)) return Number(text.replace(/\D/g, ""));
  const [, whole = "", part = "", unit = ""] = SHORT.exec(text) ?? [];
  if (!whole) return null;
  return Math.round(Number(`${whole}.${part || 0}`) * (unit.toLowerCase() === "k" ? 1_000 : 1_000_000));
}

/** As {@link readNumber}; 0 for a text without a clear meaning. */
export function wholeNumber(typed: string): number {
  return readNumber(typed) ?? 0;
}

/** Whether a number is typed in another form than plain digits, so that the page should say how it was understood. */
export function isShortened(typed: string): boolean {
  const value = readNumber(typed);
  return value !== null && value > 0 && !/^[\d,.'’\s]+$/.test(typed.trim());
}

/** The sentence for a number without a clear meaning; false for every other text. */
export function numberRefusal(typed: string): string | false {
  return (
    readNumber(typed) === null && `“${typed.trim()}” is not a number that we understand. Write 95000, 95,000 or 95k.`
  );
}

/** The words of a number of pages, 0 for a text that is not a number of pages. */
export function wordsOfPages(typed: string): number {
  return Math.max(0, wholeNumber(typed)) * WORDS_PER_PAGE;
}

/** Whether a page count says how many hours or discs an audiobook has. */
export function isHoursOrDiscs(format: Format, pages: number | null): pages is number {
  return format === "Audio" && pages !== null && pages > 0 && pages <= HOURS_OR_DISCS;
}

/** The words of a book that no one has counted, and what they come from; null where neither its pages nor its length are known. */
export function estimatedWords({ format, pages, minutes }: Pick<Book, "format" | "pages" | "minutes">) {
  const ofMinutes = minutes !== null && { words: minutes * WORDS_PER_MINUTE, source: "minutes" as const };
  const hasPages = pages !== null && pages > 0 && !isHoursOrDiscs(format, pages);
  const ofPages = hasPages && { words: pages * WORDS_PER_PAGE, source: "pages" as const };
  return (format === "Audio" ? ofMinutes || ofPages : ofPages || ofMinutes) || null;
}

/** The minutes of a typed length or time, `12:30` or `12 h 30 min`; null for every other text. */
export function readMinutes(typed: string): number | null {
  const text = withPlainDigits(typed).trim();
  const [, hours, minutes = "0"] =
    /^(\d{1,4}):([0-5]\d)$/.exec(text) ?? /^(\d{1,4})\s*h(?:\s*([0-5]?\d)\s*(?:m|min)?)?$/i.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
