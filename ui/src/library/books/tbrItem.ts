import { TBR_ITEM_FIELDS } from "../../kit/api/limits";
import type { TbrItem } from "../../kit/api/types";
import { nameRefusal, only, pagesOf, pagesRefusal, textRefusal, wordsRefusal } from "./model";
import { readNumber, WORDS_PER_PAGE } from "./numbers";

/** The content of the forms of a to-be-read item, as typed. */
export interface ItemForm {
  title: string;
  author: string;
  wordCount: string;
  pages: string;
  isbn: string;
  notes: string;
}

export const EMPTY_ITEM: ItemForm = { title: "", author: "", wordCount: "", pages: "", isbn: "", notes: "" };

/** The form for a stored item. */
export function formOfItem(item: TbrItem): ItemForm {
  return {
    title: item.title,
    author: item.author ?? "",
    wordCount: item.wordCount === null ? "" : String(item.wordCount),
    pages: item.pages === null ? "" : String(item.pages),
    isbn: item.isbn ?? "",
    notes: item.notes ?? "",
  };
}

/** The validation errors of a form, one sentence for each field. Only the title is required. */
export function refusalsOfItem(form: ItemForm): Partial<Record<keyof ItemForm, string>> {
  return only({
    title: nameRefusal("title", form.title),
    author: nameRefusal("author", form.author, false),
    wordCount: wordsRefusal(form.wordCount),
    pages: pagesRefusal(form.pages),
    isbn: false,
    notes: textRefusal("The notes", form.notes, TBR_ITEM_FIELDS.notes.maxLength),
  });
}

/** A typed word count; null, for unknown, when it has no digit. */
function typedWords(typed: string): number | null {
  return /\p{Nd}/u.test(typed) ? readNumber(typed) : null;
}

/** The words of an item, worked out from its pages when only these are known; null when neither is. */
export function wordsOf({ wordCount, pages }: Pick<TbrItem, "wordCount" | "pages">): number | null {
  return wordCount ?? (pages === null ? null : pages * WORDS_PER_PAGE);
}

/** The body of `POST /api/tbr`. */
export interface NewItem {
  title: string;
  author: string | null;
  wordCount: number | null;
  notes: string | null;
  /** Left out when unknown. */
  pages?: number | null;
  isbn?: string | null;
}

/** The payload of a valid form that creates an item. */
export function toNewItem(form: ItemForm): NewItem {
  const pages = pagesOf(form.pages);
  return {
    title: form.title.trim(),
    author: form.author.trim() || null,
    wordCount: typedWords(form.wordCount),
    notes: form.notes.trim() === "" ? null : form.notes,
    ...(pages === null ? {} : { pages }),
    ...(form.isbn.trim() === "" ? {} : { isbn: form.isbn.trim() }),
  };
}

/** The body of `PATCH /api/tbr/{id}`. */
export type ItemChange = NewItem & Pick<TbrItem, "pages" | "isbn">;

/** The payload of a valid form that changes an item. Empty fields are cleared. */
export function toItemChange(form: ItemForm): ItemChange {
  return { ...toNewItem(form), pages: pagesOf(form.pages), isbn: form.isbn.trim() || null };
}

/** The total words of a list, and the number of its books whose words are unknown. */
export function waiting(items: readonly TbrItem[]): { words: number; uncounted: number } {
  const uncounted = items.filter((item) => wordsOf(item) === null).length;
  return { words: items.reduce((sum, item) => sum + (wordsOf(item) ?? 0), 0), uncounted };
}

/** Items in the order of `ids`. Items that it does not name come last, in their former order. */
export function inOrder(items: readonly TbrItem[], ids: readonly number[]): TbrItem[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: TbrItem) => places.get(id) ?? ids.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
