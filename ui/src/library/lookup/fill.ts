import type { FoundBook } from "../../kit/api/types";
import { clock, counted, duration } from "../../kit/format";
import { languageName } from "../../kit/language";
import { authorsOf, NO_LANGUAGE, seriesName } from "../books/facts";
import { type BookForm, emptyForm } from "../books/model";
import { WORDS_PER_PAGE, wholeNumber } from "../books/numbers";
import type { ItemForm } from "../books/tbrItem";
import type { BookFormState } from "../books/useBookForm";

/** The fields that a found book can fill in. */
type Fillable =
  | "title"
  | "author"
  | "authors"
  | "wordCount"
  | "wordCountSource"
  | "pages"
  | "minutes"
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

/** The form as far as a found book can fill it in. */
type Fields = Pick<BookForm, Fillable>;

/** A form that a found book fills in. */
export interface FilledForm {
  values: () => Fields;
  /** What a found book says about its fields. */
  offersOf: (book: FoundBook) => Offer[];
  fill: (filling: Filling) => void;
  /** Moves the focus to the title. */
  toTitle: () => void;
}

/** The form of a book. What is filled in is checked where the form was sent before. */
export const bookForm = (form: BookFormState): FilledForm => ({
  values: form.getValues,
  offersOf: (book) => offersOf(book, form.getValues()),
  fill: (filling) => {
    for (const [field, value] of Object.entries(filling)) {
      form.setValue(field as keyof Filling, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    }
  },
  toTitle: () => form.setFocus("title"),
});

/** The form of a to-be-read item, which has a few of the fields, and a single one for all authors. */
export function itemForm(item: ItemForm, fill: (part: Partial<ItemForm>) => void, toTitle: () => void): FilledForm {
  const values = () => ({ ...emptyForm("Print"), ...item });
  const fields = (book: FoundBook): Record<string, Filling> => ({
    author: { author: book.authors.join(", ") },
    // The list works words out from pages by itself.
    words: book.wordCountSource === "pages" ? {} : { wordCount: String(book.wordCount) },
  });
  return {
    values,
    offersOf: (book) =>
      offersOf(book, values())
        .map((offer) => ({ ...offer, values: fields(book)[offer.name] ?? offer.values }))
        .filter(({ values }) => Object.keys(values).some((field) => field in item)),
    fill,
    toTitle,
  };
}

/** One thing that a found book says: `publisher`, empty here and "Beacon Press" there. */
export interface Offer {
  name: string;
  /** What the form says in words, "" where it is empty. */
  here: string;
  /** What the found book says in words. */
  there: string;
  /** What the form gets when it is taken over. */
  values: Filling;
}

/** A book that was chosen, and what it filled in. */
export interface Chosen {
  book: FoundBook;
  taken: readonly Offer[];
  /** What stood in these fields before. */
  former: Filling;
  /** Whether its cover was taken, too. */
  withCover: boolean;
}

/** Everything that a found book says, in the order of the form. */
export function offersOf(book: FoundBook, form: Fields): Offer[] {
  const { authors, genres, originalYear, language, series, wordCountSource } = book;
  const pages = wholeNumber(form.pages) || (book.pages ?? 0);
  const words = wordCountSource === "pages" ? pages * WORDS_PER_PAGE : (book.wordCount ?? 0);
  const { minutes } = book;
  const wordCount = words > 0 ? String(words) : "";
  const offer = (name: string, here: string, there: string | null, values: Filling): Offer[] =>
    there ? [{ name, here: here.trim(), there, values }] : [];
  const text = (name: string, field: TextField, there: string | null) =>
    offer(name, form[field], there, { [field]: there });
  const number = (value: number | null) => (value === null ? null : String(value));
  const here = form.language === NO_LANGUAGE ? "" : languageName(form.language);
  return [
    ...text("title", "title", book.title),
    // One author stands in the field, several before it.
    ...offer(
      "author",
      authorsOf(form).join(", "),
      authors.join(", "),
      authors.length > 1 ? { authors: [...authors], author: "" } : { authors: [], author: authors[0] ?? "" },
    ),
    ...offer("words", wholeNumber(form.wordCount) > 0 ? form.wordCount : "", wordCount, {
      wordCount,
      wordCountSource: wordCountSource ?? "entered",
    }),
    ...text("pages", "pages", number(book.pages)),
    ...offer("length", form.minutes, minutes === null ? null : duration(minutes), { minutes: clock(minutes ?? 0) }),
    ...text("ISBN", "isbn", book.isbn),
    ...text("genres", "genres", genres.join(", ")),
    ...text("publisher", "publisher", book.publisher),
    ...text("published", "published", book.published),
    ...text("first published", "originalYear", number(originalYear)),
    ...offer("language", here, language && languageName(language), language ? { language } : {}),
    ...offer("series", inWords(form.series, form.seriesNumber), series && inWords(series.name, series.number ?? ""), {
      series: series?.name ?? "",
      seriesNumber: series?.number ?? "",
    }),
  ];
}

/** The fields whose text a found book gives as it is. */
type TextField = "title" | "pages" | "isbn" | "genres" | "publisher" | "published" | "originalYear";

const inWords = (series: string, number: string) =>
  series.trim() || number.trim() ? seriesName({ name: series.trim(), number: number.trim() || null }) : "";

/** The offers for the fields that are empty now. What a reader typed stays. */
export const missing = (offers: readonly Offer[]): Offer[] => offers.filter(({ here }) => here === "");

/** What offers write into the form. */
export const fillingOf = (offers: readonly Offer[]): Filling =>
  Object.assign({}, ...offers.map(({ values }) => values));

/** What the form has in the fields of a filling. */
export function formerOf(filling: Filling, form: Fields): Filling {
  return Object.fromEntries(Object.keys(filling).map((field) => [field, form[field as keyof Filling]]));
}

/** The former values of the fields that still have what was filled in. */
export function withdrawn(filling: Filling, former: Filling, form: Fields): Filling {
  const isThere = (field: string) => String(form[field as keyof Filling]) === String(filling[field as keyof Filling]);
  return Object.fromEntries(Object.entries(former).filter(([field]) => isThere(field)));
}

/** Whether the cover of a found book is taken: a picture that is there stays. */
export function fillsCover({ cover }: FoundBook, here: { url: string | null } | undefined): boolean {
  return cover !== null && here?.url === null;
}

/** Authors, publisher, year, pages and language, as far as they are known. */
export function about({ authors, publisher, published, originalYear, pages, minutes, language }: FoundBook): string {
  const year = published?.slice(0, 4) ?? (originalYear === null ? undefined : String(originalYear));
  const parts = [
    authors.join(", "),
    [publisher, year].filter(Boolean).join(" "),
    pages === null ? "" : counted(pages, "page"),
    minutes === null ? "" : duration(minutes),
    language === null ? "" : languageName(language),
  ];
  return parts.filter(Boolean).join(", ");
}
