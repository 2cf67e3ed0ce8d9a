/** A text for finding: case and accents make no difference, as in the server's searches. */
export function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLocaleLowerCase();
}
