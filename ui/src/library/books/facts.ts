/** What is known of a book beyond title, numbers and dates, as it is typed: authors, series, tags, and the edition. */
import { BOOK_FIELDS } from "../../kit/api/limits";
import type { Book, Contributor, ContributorRole } from "../../kit/api/types";
import { counted } from "../../kit/format";
import type { Refusal } from "./refusals";
import { numbered } from "./seriesNumber";

/** The parts of the people who made a book, in the order of the form. */
export const ROLES: readonly { value: ContributorRole; label: string }[] = [
  { value: "translator", label: "Translator" },
  { value: "narrator", label: "Narrator" },
  { value: "editor", label: "Editor" },
  { value: "illustrator", label: "Illustrator" },
  { value: "other", label: "Other" },
];

/** The value of the language field of a book whose language is unknown. */
export const NO_LANGUAGE = "unknown";

/** The fields of the form, as typed. */
export interface FactsForm {
  /** The authors that were added before the one in the field `author`. */
  authors: string[];
  contributors: Contributor[];
  series: string;
  seriesNumber: string;
  tags: string[];
  /** Tags that were typed and not added yet. */
  nextTag: string;
  publisher: string;
  /** A year, a month or a day: yyyy, yyyy-MM or yyyy-MM-dd. */
  published: string;
  originalYear: string;
  /** A language tag, or {@link NO_LANGUAGE}. */
  language: string;
  /** Whether nobody else sees the book. */
  private: boolean;
}

export const NO_FACTS: FactsForm = {
  authors: [],
  contributors: [],
  series: "",
  seriesNumber: "",
  tags: [],
  nextTag: "",
  publisher: "",
  published: "",
  originalYear: "",
  language: NO_LANGUAGE,
  private: false,
};

/** The authors of a stored book as the form shows them: one stands in the field, several stand before it. */
export function authorFields({ author, authors }: Pick<Book, "author" | "authors">) {
  return authors.length > 1 ? { author: "", authors: [...authors] } : { author, authors: [] };
}

/** The fields of a stored book. */
export function factsOf(book: Book): Omit<FactsForm, "authors"> {
  return {
    contributors: book.contributors.map((person) => ({ ...person })),
    series: book.series?.name ?? "",
    seriesNumber: book.series?.number ?? "",
    tags: [...book.tags],
    nextTag: "",
    publisher: book.publisher ?? "",
    published: book.published ?? "",
    originalYear: book.originalYear === null ? "" : String(book.originalYear),
    language: book.language ?? NO_LANGUAGE,
    private: book.private,
  };
}

const trimmed = (texts: readonly string[]) => texts.map((text) => text.trim()).filter(Boolean);

/** All authors of a form, the one that is still in the field included. */
export function authorsOf({ authors, author }: { authors: readonly string[]; author: string }): string[] {
  return [...new Set(trimmed([...authors, author]))];
}

/** All tags of a form, those that are still in the field included, each once whatever its case. */
export function tagsOf({ tags, nextTag }: { tags: readonly string[]; nextTag: string }): string[] {
  const all = trimmed([...tags, ...nextTag.split(",")]);
  const keys = all.map((tag) => tag.toLowerCase());
  return all.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

const contributorsOf = (form: FactsForm): Contributor[] =>
  form.contributors.map(({ name, role }) => ({ name: name.trim(), role })).filter(({ name }) => name !== "");

const orNull = (text: string) => text.trim() || null;

/** What is sent of the fields, without the authors. Empty fields are cleared. */
export function factsPayload(form: FactsForm): Facts {
  const [name, number] = [form.series.trim(), orNull(form.seriesNumber)];
  const year = form.originalYear.trim();
  return {
    contributors: contributorsOf(form),
    series: name === "" && number === null ? null : { name, number },
    tags: tagsOf(form),
    publisher: orNull(form.publisher),
    published: orNull(form.published),
    originalYear: year === "" ? null : Number(year),
    language: form.language === NO_LANGUAGE ? null : form.language,
    private: form.private,
  };
}

/** The fields as they are sent; a book has them under the same names. */
export type Facts = Pick<Book, (typeof FACTS)[number]>;

const FACTS = [
  "contributors",
  "series",
  "tags",
  "publisher",
  "published",
  "originalYear",
  "language",
  "private",
] as const;

/** A new book without the fields of {@link factsPayload} that say nothing. */
export function knownFacts<Payload extends Facts>(book: Payload): Omit<Payload, keyof Facts> & Partial<Facts> {
  const known: Omit<Payload, keyof Facts> & Partial<Facts> = { ...book };
  for (const field of FACTS) {
    const value = book[field];
    if (value === null || value === false || (Array.isArray(value) && value.length === 0)) delete known[field];
  }
  return known;
}

/** What is sent of the authors: one as a text, several as a list. `several`: whether the stored book has several. */
export function authorsPayload(form: Pick<FactsForm, "authors"> & { author: string }, several: boolean) {
  const authors = authorsOf(form);
  return authors.length > 1 || several ? { authors } : { author: authors[0] ?? "" };
}

/** The errors of the fields that can't be sent as they are typed. The server says what else is wrong. */
export function factsRefusals(form: FactsForm & { author: string }) {
  return {
    author: authorsOf(form).length === 0 && "The author is required.",
    originalYear: yearRefusal(form.originalYear.trim()),
  } satisfies Partial<Record<keyof FactsForm | "author", Refusal>>;
}

function yearRefusal(typed: string): Refusal {
  const { minimum, maximum } = BOOK_FIELDS.originalYear;
  const year = Number(typed);
  const isYear = typed === "" || (/^-?\d+$/.test(typed) && year >= minimum && year <= maximum);
  return !isYear && "Type a year from -3000 to 2100. Years before our era have a minus.";
}

/** A series with its number: `Dune #1`. */
export function seriesName({ name, number }: { name: string; number: string | null }): string {
  return number === null ? name : `${name} ${numbered(number)}`;
}

/** The edition fields of a form in a few words: `Dune #1, 3 tags, Penguin Classics 2016`. */
export function factsInWords(form: FactsForm & { genres: string; isbn: string }): string {
  const { series, tags, publisher, published, originalYear, language, contributors } = factsPayload(form);
  const parts = [
    series && seriesName(series),
    tags.length > 0 && counted(tags.length, "tag"),
    [publisher, published?.slice(0, 4)].filter(Boolean).join(" "),
    form.private && "only you see it",
  ].filter(Boolean);
  if (parts.length > 0) return parts.join(", ");
  const others = [form.genres.trim(), form.isbn.trim(), originalYear, language, contributors.length > 0];
  const filled = others.filter(Boolean).length;
  return filled > 0 ? `${counted(filled, "field")} filled in` : "";
}
