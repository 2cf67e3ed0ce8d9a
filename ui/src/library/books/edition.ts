/** The edition of a further read, as it is typed and sent. */
import type { Book } from "../../kit/api/types";
import { counted, duration } from "../../kit/format";
import { minutesOf, minutesRefusal, only, pagesOf, pagesRefusal, wholeNumber, wordsRefusal } from "./model";
import type { Again } from "./workQueries";

/** The fields of an edition, as typed. */
export interface EditionForm {
  wordCount: string;
  pages: string;
  /** Of an audiobook, h:mm. */
  minutes: string;
  isbn: string;
}

/** The refusals of an edition, one sentence for each field. */
export type EditionRefusals = Partial<Record<keyof EditionForm, string>>;

/** The form for another edition of a book: the words are those of the text, pages, length and ISBN are unknown. */
export function editionForm({ wordCount }: Book): EditionForm {
  return { wordCount: String(wordCount), pages: "", minutes: "", isbn: "" };
}

/** An edition in words: `155,887 words, 412 pages, 9780441013593`. */
export function editionInWords({ wordCount, pages, minutes, isbn }: Book): string {
  const lengths = [pages !== null && counted(pages, "page"), minutes !== null && duration(minutes)];
  return [counted(wordCount, "word"), ...lengths, isbn].filter(Boolean).join(", ");
}

/** What is sent of a typed edition, or its refusals. Pages, a length and an ISBN that are left empty are unknown. */
export function editionPayload(
  form: EditionForm,
  read: Book,
): { edition: Pick<Again, "wordCount" | "pages" | "minutes" | "isbn"> } | { refusals: EditionRefusals } {
  const refusals = only({
    wordCount: wordsRefusal(form.wordCount),
    pages: pagesRefusal(form.pages),
    minutes: minutesRefusal(form.minutes),
  });
  if (Object.keys(refusals).length > 0) return { refusals };
  const wordCount = form.wordCount.trim() === "" ? read.wordCount : wholeNumber(form.wordCount);
  // The same number keeps its source.
  const words = wordCount === read.wordCount ? {} : { wordCount };
  const lengths = { pages: pagesOf(form.pages), minutes: minutesOf(form.minutes) };
  return { edition: { ...words, ...lengths, isbn: form.isbn.trim() || null } };
}
