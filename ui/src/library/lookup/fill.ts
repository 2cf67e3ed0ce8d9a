import type { FoundBook } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { authorsOf, NO_LANGUAGE } from "../books/facts";
import type { BookForm } from "../books/model";
import { WORDS_PER_PAGE, wholeNumber } from "../books/numbers";

/** The fields that a found book can fill in. */
type Fillable = Text | "authors" | "wordCountSource";
/** Those that are texts. */
type Text =
  | "title"
  | "author"
  | "wordCount"
  | "pages"
  | "isbn"
  | "genres"
  | "publisher"
  | "published"
  | "originalYear"
  | "language"
  | "series"
  | "seriesNumber";

/** What a found book writes into a form. */
export type Filling = Partial<Pick<BookForm, Fillable>>;

/** The values for the fields that are empty now. What a reader typed stays. */
export function fillingOf(book: FoundBook, form: Pick<BookForm, Fillable>): Filling {
  const filling: Filling = {};
  const isEmpty = (field: Text) => form[field].trim() === "" || form[field] === NO_LANGUAGE;
  const fill = (field: Text, value: string) => {
    if (value !== "" && isEmpty(field)) filling[field] = value;
  };
  fill("title", book.title);
  if (authorsOf(form).length === 0 && book.authors.length > 0) {
    // One author stands in the field, several before it.
    if (book.authors.length > 1) filling.authors = [...book.authors];
    else filling.author = book.authors[0];
  }
  fill("pages", book.pages === null ? "" : String(book.pages));
  fill("isbn", book.isbn ?? "");
  fill("genres", book.genres.join(", "));
  fill("publisher", book.publisher ?? "");
  fill("published", book.published ?? "");
  fill("originalYear", book.originalYear === null ? "" : String(book.originalYear));
  fill("language", book.language ?? "");
  if (book.series && isEmpty("series") && isEmpty("seriesNumber")) {
    fill("series", book.series.name);
    fill("seriesNumber", book.series.number ?? "");
  }
  const pages = wholeNumber(filling.pages ?? form.pages);
  const words = book.wordCountSource === "pages" ? pages * WORDS_PER_PAGE : (book.wordCount ?? 0);
  if (words > 0 && wholeNumber(form.wordCount) === 0) {
    filling.wordCount = String(words);
    filling.wordCountSource = book.wordCountSource ?? "entered";
  }
  return filling;
}

const NAMES = {
  title: "title",
  author: "author",
  authors: "authors",
  wordCount: "words",
  pages: "pages",
  isbn: "ISBN",
  genres: "genres",
  publisher: "publisher",
  published: "published",
  originalYear: "first published",
  language: "language",
  series: "series",
};

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
