/** Accents, and the points of Hebrew and Arabic. Marks that make a different character, as the Japanese ones do, are not among them. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Letters with a stroke and ligatures, which have no decomposition, and two that change their case in an unusual way. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ß: "ss",
  ς: "σ",
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** A text without case and accents, for comparing, as on the server (`src/kit/keys.rs`). */
export function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)
    .normalize("NFC");
}

// The same characters as in `src/kit/keys.rs`.
const DROPPED = /['"`!?¡¿«»‹›\u2018-\u201f\u2032-\u2037\u02b9-\u02bd\u05f3\u05f4\u300c-\u300f\u301d-\u301f\u00ad]/g;
const BLANK =
  /[-/:;,_()[\]{}\u2010-\u2015\u2212\u058a\u05be\u1806\u2e3a\u2e3b\u301c\u3030\u30a0\u2329\u232a\u27e8-\u27eb\u3008-\u300b\u3010\u3011\u3014-\u301b\s]+/g;

/** A folded text without what keys leave out; empty where nothing is left. */
function stripped(text: string, dot: "" | " "): string {
  return folded(text.replaceAll("´", ""))
    .replace(DROPPED, "")
    .replace(/[.·]/g, dot)
    .replaceAll("&", " and ")
    .replace(BLANK, " ")
    .trim();
}

/** The form in which titles and names of series are compared and searched, as on the server (docs/rules.md). */
export function titleKey(title: string): string {
  return stripped(title, "") || folded(title);
}

/** The form in which names of people are compared: as a title's, but a dot is a blank, and initials are one word. */
export function nameKey(name: string): string {
  let [key, isAfterLetter] = ["", false];
  for (const word of stripped(name, " ").split(" ")) {
    const isLetter = /^\p{L}$/u.test(word);
    key += key === "" || (isAfterLetter && isLetter) ? word : ` ${word}`;
    isAfterLetter = isLetter;
  }
  return key || folded(name);
}

/** The form in which genres are compared, as on the server: without case, accents, blanks, hyphens and apostrophes. */
export function genreKey(name: string): string {
  const text = folded(name);
  return text.replace(/[\s\p{Pd}_'’]/gu, "") || text;
}

/**
 * How a title is found by what is typed, as by the server's search. `key` is the title's. Without blanks, what is typed
 * must begin where a word begins.
 */
export function titleFinder(typed: string): (title: string, key: string) => boolean {
  const sought = stripped(typed, "");
  const asTyped = typed.trim();
  if (sought === "") return (title) => title.includes(asTyped);
  const letters = [...sought.replaceAll(" ", "")];
  const joined = letters.map((letter) => letter.replace(/[$*+\\|^]/, "\\$&")).join(" ?");
  const apart = letters.length > 2 ? new RegExp(`(?:^| )${joined}`, "u") : undefined;
  return (_, key) => key.includes(sought) || (apart?.test(key) ?? false);
}

/** What books are found by. */
export interface BookKeys {
  shown: string;
  title: string;
  author: string;
}

export function bookKeys(title: string, author: string | null): BookKeys {
  return { shown: title, title: titleKey(title), author: nameKey(author ?? "") };
}

/** How books are found by what is typed of title, author, or both. */
export function bookFinder(typed: string): (keys: BookKeys) => boolean {
  const inTitle = titleFinder(typed);
  const [part, name] = [titleKey(typed.trim()), nameKey(typed.trim())];
  return ({ shown, title, author }) =>
    inTitle(shown, title) || author.includes(name) || `${title} ${author}`.includes(part);
}
