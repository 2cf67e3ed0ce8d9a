/** Whether 13 digits are an ISBN: 978 or 979, and a right check digit. */
export function isIsbn(code: string): boolean {
  if (!/^97[89]\d{10}$/.test(code)) return false;
  const sum = Array.from(code).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** Whether a question is an ISBN of 10 or 13 digits, with blanks or hyphens or without. */
export function hasIsbn(question: string): boolean {
  const code = question.replace(/[\s-]/g, "");
  return isIsbn(code) || /^\d{9}[\dXx]$/.test(code);
}

/** The ISBN of 13 digits for one of 10; null where the check digit is wrong. */
function isbn13(short: string): string | null {
  const digits = Array.from(short.toUpperCase(), (digit) => (digit === "X" ? 10 : Number(digit)));
  if (digits.reduce((total, digit, at) => total + digit * (10 - at), 0) % 11 !== 0) return null;
  const long = `978${short.slice(0, 9)}`;
  return Array.from("0123456789", (check) => long + check).find(isIsbn) ?? null;
}

/**
 * The ISBN in a text or an address, as 13 digits; "" without one. An ISBN of 10 digits counts alone and behind what announces it ("ISBN", and
 * "/dp/" in addresses of Amazon), because other numbers are as long.
 */
export function isbnIn(text: string): string {
  const long = text.matchAll(/(?:^|\D)(97[89](?:[\s-]?\d){10})(?!\d)/g);
  const short = text.matchAll(/(?:^|isbn(?:-?10)?[\s:=/]+|\/(?:dp|gp\/product)\/)((?:\d[\s-]?){9}[\dx])(?=$|\W)/gi);
  const bare = (found: Iterable<RegExpMatchArray>) => Array.from(found, ([, code = ""]) => code.replace(/[\s-]/g, ""));
  return bare(long).find(isIsbn) ?? bare(short).map(isbn13).find(Boolean) ?? "";
}
