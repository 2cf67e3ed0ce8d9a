/** The edition of a further read, as it is typed and sent. */
import type { Book } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { only, pagesOf, pagesRefusal, wholeNumber, wordsRefusal } from "../books/model";
import type { Again } from "./api";

/** The fields of an edition, as typed. */
export interface EditionForm {
  wordCount: string;
  pages: string;
  isbn: string;
}

/** The refusals of an edition, one sentence for each field. */
export type EditionRefusals = Partial<Record<keyof EditionForm, string>>;

/** The form for another edition of a book: the words are those of the text, pages and ISBN are unknown. */
export function editionForm({ wordCount }: Book): EditionForm {
  return { wordCount: String(wordCount), pages: "", isbn: "" };
}

/** An edition in words: `155,887 words, 412 pages, 9780441013593`. */
export function editionInWords({ wordCount, pages, isbn }: Book): string {
  return [counted(wordCount, "word"), pages !== null && counted(pages, "page"), isbn].filter(Boolean).join(", ");
}

/** What is sent of a typed edition, or its refusals. Pages and an ISBN that are left empty are unknown. */
export function editionPayload(
  form: EditionForm,
  read: Book,
): { edition: Pick<Again, "wordCount" | "pages" | "isbn"> } | { refusals: EditionRefusals } {
  const refusals = only({ wordCount: wordsRefusal(form.wordCount), pages: pagesRefusal(form.pages) });
  if (Object.keys(refusals).length > 0) return { refusals };
  const wordCount = form.wordCount.trim() === "" ? read.wordCount : wholeNumber(form.wordCount);
  // The same number keeps its source.
  const words = wordCount === read.wordCount ? {} : { wordCount };
  return { edition: { ...words, pages: pagesOf(form.pages), isbn: form.isbn.trim() || null } };
}
