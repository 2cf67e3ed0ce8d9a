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
