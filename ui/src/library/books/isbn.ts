/** Whether 13 digits are an ISBN: 978 or 979, and a right check digit. */
export function isIsbn(code: string): boolean {
  if (!/^97[89]\d{10}$/.test(code)) return false;
  const sum = Array.from(code).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
