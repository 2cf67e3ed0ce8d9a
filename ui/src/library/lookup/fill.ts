import { BOOK_FIELDS } from "../../kit/api/limits";
import type { FoundBook } from "../../kit/api/types";
import { counted } from "../../kit/format";
import type { BookForm } from "../books/model";
import { WORDS_PER_PAGE, wholeNumber } from "../books/numbers";

/** The fields that a found book can fill in. */
type Fillable = "title" | "author" | "wordCount" | "wordCountSource" | "pages" | "isbn" | "genres";

/** What a found book writes into a form. */
export type Filling = Partial<Pick<BookForm, Fillable>>;

/** The values for the fields that are empty now. What a reader typed stays. */
export function fillingOf(book: FoundBook, form: Pick<BookForm, Fillable>): Filling {
  const filling: Filling = {};
  const fill = (field: "title" | "author" | "pages" | "isbn" | "genres", value: string) => {
    if (value !== "" && form[field].trim() === "") filling[field] = value;
  };
  fill("title", book.title);
  fill("author", book.authors.join(", ").slice(0, BOOK_FIELDS.author.maxLength));
  fill("pages", book.pages === null ? "" : String(book.pages));
  fill("isbn", book.isbn ?? "");
  fill("genres", book.genres.join(", "));
  const pages = wholeNumber(filling.pages ?? form.pages);
  const words = book.wordCountSource === "pages" ? pages * WORDS_PER_PAGE : (book.wordCount ?? 0);
  if (words > 0 && wholeNumber(form.wordCount) === 0) {
    filling.wordCount = String(words);
    filling.wordCountSource = book.wordCountSource ?? "entered";
  }
  return filling;
}

const NAMES = { title: "title", author: "author", wordCount: "words", pages: "pages", isbn: "ISBN", genres: "genres" };

/** The fields of a filling, in words. */
export function filledFields(filling: Filling): string[] {
  return Object.entries(NAMES).flatMap(([field, name]) => (field in filling ? [name] : []));
}

/** Authors, publisher, year, pages and language, as far as they are known. */
export function about({ authors, publisher, published, originalYear, pages, language }: FoundBook): string {
  const year = published?.slice(0, 4) ?? (originalYear === null ? undefined : String(originalYear));
  const parts = [
    authors.join(", "),
    [publisher, year].filter(Boolean).join(" "),
    pages === null ? "" : counted(pages, "page"),
    language === null ? "" : languageName(language),
  ];
  return parts.filter(Boolean).join(", ");
}

function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
  } catch {
    // Not a language tag.
    return tag;
  }
}
