/** Sentences for typed values that the server would refuse. */
import { BOOK_FIELDS } from "../../kit/api/limits";

/** The sentence for a value, false where it is valid. */
export type Refusal = string | false;

/** The errors without the fields that are valid. */
export function only<Field extends string>(refusals: Record<Field, Refusal>): Partial<Record<Field, string>> {
  const refused = Object.entries<Refusal>(refusals).filter(([, sentence]) => sentence);
  return Object.fromEntries(refused) as Partial<Record<Field, string>>;
}

/** The number of characters as the server counts them: an emoji is one. */
const lengthOf = (text: string) => [...text].length;

export function textRefusal(name: string, text: string, most: number): Refusal {
  if (text.includes("\0")) return `${name} can't hold the character NUL.`;
  return lengthOf(text) > most && `${name} can have at most ${most.toLocaleString("en-US")} characters.`;
}

export function nameRefusal(name: "title" | "author", typed: string, required = true): Refusal {
  if (required && typed.trim() === "") return `The ${name} is required.`;
  return textRefusal(`The ${name}`, typed.trim(), BOOK_FIELDS.title.maxLength);
}
