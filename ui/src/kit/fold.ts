/** A text without case and accents, for comparing, as in the server's searches. */
export function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/** Accents, and the points of Hebrew and Arabic. Marks that make a different character, as the Japanese ones do, are not among them. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/**
 * The form in which genres are compared, as on the server (docs/rules.md): without case, accents, spaces, hyphens and apostrophes,
 * and in the singular.
 */
export function genreKey(name: string): string {
  const text = name.normalize("NFKD").replace(ACCENTS, "").toLowerCase().normalize("NFC");
  const joined = text.replace(/[\s\p{Pd}_'’]/gu, "") || text;
  return joined.replace(/(..[a-rt-z])s$/u, "$1").replace(/(..)ie$/u, "$1y");
}
