import { dateRefusal, dayRefusal, readDate } from "../../access/date/typedDate";
import type { Place } from "../../access/place";
import { BOOK_FIELDS, QUOTE_CREATE } from "../../kit/api/limits";
import type { Book, BookDetail, BookStatus, Format, Passage, TbrItem, WordDistribution } from "../../kit/api/types";
import { clock, longDate } from "../../kit/format";
import { changesOf, isSame } from "../../kit/rebase";
import { LAST_DAY } from "../../kit/roughDate";
import {
  authorFields,
  authorsOf,
  authorsPayload,
  type Facts,
  type FactsForm,
  factsOf,
  factsPayload,
  factsRefusals,
  knownFacts,
  NO_FACTS,
} from "./facts";
import { estimatedWords, numberRefusal, readMinutes, WORDS_PER_PAGE, wholeNumber } from "./numbers";
import { type Edition, placePayload, presentPlace, type TypedPlace, type Unit, unitsOf } from "./read";
import { nameRefusal, only, type Refusal, textRefusal } from "./refusals";

export { nameRefusal, only, textRefusal, WORDS_PER_PAGE, wholeNumber };

/** The reading mode that the form offers. A stored status with its dates is converted to a mode, and back. */
export type Mode = "single" | "span" | "in-progress" | "no-date" | "did-not-finish";

export const MODES: readonly { value: Mode; label: string }[] = [
  { value: "single", label: "Completed on a single date" },
  { value: "span", label: "Read over a date span" },
  { value: "in-progress", label: "Currently reading" },
  { value: "did-not-finish", label: "Did not finish" },
  { value: "no-date", label: "No date - track words/genres only" },
];

/** The content of the book form, as typed. Fields of other modes keep their values while the reader tries a mode. */
export interface BookForm extends FactsForm {
  title: string;
  /** The author, or the one after those in `authors`. */
  author: string;
  wordCount: string;
  wordCountSource: Book["wordCountSource"];
  pages: string;
  /** The length of an audiobook, h:mm. */
  minutes: string;
  isbn: string;
  format: Format;
  mode: Mode;
  startDate: string;
  /** A day, yyyy-MM-dd; for a book completed on a single date also two days with a slash between, or a rough date as typed. */
  dateCompleted: string;
  /** Only of books that were given up. */
  stoppedDate: string;
  /** Only of books in progress. */
  pausedSince: string;
  /** The place reached: a page, a time, or a percentage. Only of books in progress and of those that were given up. */
  place: string;
  /** The unit of the place where the edition has it; otherwise it is a percentage. */
  placeUnit: Unit;
  rating: number | null;
  wordDistribution: WordDistribution;
  /** Whether the reader has chosen the distribution. Otherwise the log of a read proposes it. */
  isOwnDistribution: boolean;
  reread: boolean;
  /** Separated by commas. */
  genres: string;
  impressions: string;
  passages: readonly Passage[];
  /** A quote that was typed and not added yet. */
  nextQuote: string;
  /** KOReader's digest of the EPUB that filled in the form, "" without one. */
  digest: string;
  /** Days in the future that the reader has confirmed. */
  sureOf: string[];
  /** What the chosen mode has filled in. It is taken back when the mode is left, also after a reload of the form. */
  proposed: Proposal[];
}

/** A value that a mode has filled in. */
export interface Proposal {
  field: DateField | "wordDistribution";
  value: string;
  /** What the field held before. */
  before: string;
}

/** The validation errors of a form, one sentence for each field. */
export type Refusals = Partial<Record<keyof BookForm, string>>;

const upTo = (most: number) => most.toLocaleString("en-US");

const WORDS_REFUSAL = `The word count must be a whole number from 0 to ${upTo(BOOK_FIELDS.wordCount.maximum)}.`;
const PAGES_REFUSAL = `The page count must be a whole number from 1 to ${upTo(BOOK_FIELDS.pages.maximum)}.`;

const MINUTES_REFUSAL = `The length must be from 0:01 to ${clock(BOOK_FIELDS.minutes.maximum)}.`;

export function emptyForm(format: Format): BookForm {
  return {
    ...NO_FACTS,
    title: "",
    author: "",
    wordCount: "",
    wordCountSource: "entered",
    pages: "",
    minutes: "",
    isbn: "",
    format,
    mode: "single",
    startDate: "",
    dateCompleted: "",
    stoppedDate: "",
    pausedSince: "",
    place: "",
    placeUnit: "page",
    rating: null,
    wordDistribution: "final",
    isOwnDistribution: false,
    reread: false,
    genres: "",
    impressions: "",
    passages: [],
    nextQuote: "",
    digest: "",
    sureOf: [],
    proposed: [],
  };
}

/** The form for a new book: a book is finished today unless its reader says otherwise. */
export function newForm(format: Format, today: string): BookForm {
  return { ...emptyForm(format), dateCompleted: today };
}

/**
 * The form for a to-be-read item that is finished `today`, yyyy-MM-dd. Its notes become impressions, and an unknown word
 * count is calculated from the pages.
 */
export function formOfItem(item: TbrItem, format: Format, today = ""): BookForm {
  const estimated = estimatedWords({ format: item.format ?? format, pages: item.pages, minutes: null });
  return {
    ...newForm(format, today),
    title: item.title,
    author: item.author ?? "",
    wordCount: figure(item.wordCount ?? estimated?.words ?? null),
    wordCountSource: item.wordCountSource ?? (item.wordCount === null && estimated ? estimated.source : "entered"),
    pages: figure(item.pages),
    isbn: item.isbn ?? "",
    format: item.format ?? format,
    tags: [...item.tags],
    impressions: item.notes ?? "",
  };
}

/** A book that may have been asked for in a list, or by an older version of the program: its quotes are texts alone then. */
type MaybeDetail = Book & Partial<Pick<BookDetail, "passages">>;

/** The quotes of a stored book, with all that is known of them. */
export const storedPassages = ({ passages, quotes }: MaybeDetail): readonly Passage[] =>
  passages ?? quotes.map(plainQuote);

/** The form for a stored book. */
export function formOf(book: MaybeDetail): BookForm {
  return {
    ...factsOf(book),
    ...authorFields(book),
    title: book.title,
    wordCount: figure(book.wordCount),
    wordCountSource: book.wordCountSource,
    pages: figure(book.pages),
    minutes: book.minutes === null ? "" : clock(book.minutes),
    isbn: book.isbn ?? "",
    format: book.format,
    mode: modeOf(book),
    startDate: book.startDate ?? "",
    dateCompleted: completionOf(book),
    stoppedDate: book.stoppedDate ?? "",
    pausedSince: book.pausedSince ?? "",
    ...placeOf(book),
    rating: book.rating,
    wordDistribution: book.wordDistribution,
    isOwnDistribution: false,
    reread: book.reread,
    genres: book.genres.join(", "),
    impressions: book.impressions ?? "",
    passages: storedPassages(book),
    nextQuote: "",
    digest: "",
    // The stored days were confirmed when they were stored.
    sureOf: [book.startDate, book.completedFrom ?? book.dateCompleted, book.stoppedDate, book.pausedSince].filter(
      (day) => day !== null,
    ),
    proposed: [],
  };
}

/** The place that a stored book has reached, as the form shows it. That of a finished book is its end. */
function placeOf(book: Book): Pick<BookForm, "place" | "placeUnit"> {
  const isShown = hasPlace(modeOf({ ...book, startDate: null }));
  const { place, unit } = presentPlace(isShown ? book : { ...book, progress: null });
  return { place, placeUnit: place === "" ? usualUnit(book.format) : unit };
}

/** The unit of a new place, where the edition has it. */
const usualUnit = (format: Format): Unit => (format === "Audio" ? "time" : "page");

/** Whether a mode has a place reached. */
export function hasPlace(mode: Mode): boolean {
  return mode === "in-progress" || mode === "did-not-finish";
}

/** The pages and the length of a form that a place may name; null while they are unknown or not valid. */
export function editionOf({ pages, minutes, format }: Pick<BookForm, "pages" | "minutes" | "format">): Edition {
  return {
    format,
    pages: pagesRefusal(pages) ? null : pagesOf(pages),
    minutes: minutesRefusal(minutes) ? null : minutesOf(minutes),
  };
}

/** The place of a form with the unit that counts. An empty one is typed in the usual unit. */
export function typedPlace({ place, placeUnit }: Pick<BookForm, "place" | "placeUnit">, edition: Edition): TypedPlace {
  const units = unitsOf(edition);
  const other = place === "" ? units[0] : "percent";
  return { place, unit: units.includes(placeUnit) ? placeUnit : other };
}

/** The stored date of completion as the form holds it: a day as yyyy-MM-dd, a rough date as its two days with a slash between. */
function completionOf({ dateCompleted, completedFrom }: Book): string {
  return [completedFrom, dateCompleted].filter(Boolean).join("/");
}

/** The day that a text means; undefined for a rough date and for anything else. */
export function dayOf(typed: string, place: Place): string | undefined {
  const read = readDate(typed, place);
  return read.refused === undefined && read.from === null ? read.to : undefined;
}

const figure = (value: number | null) => (value === null ? "" : String(value));

/** The mode of a stored book: a completed book with a start date was read over a span. */
export function modeOf({ status, startDate }: Pick<Book, "status" | "startDate">): Mode {
  if (status === "in-progress") return "in-progress";
  if (status === "undated") return "no-date";
  if (status === "did-not-finish") return "did-not-finish";
  return startDate === null ? "single" : "span";
}

/** Whether a mode has a rating. The form gives undated books none, but a rating that came with an import is shown and kept. */
export function hasRating(mode: Mode, book?: Pick<Book, "rating"> | null): boolean {
  if (mode === "no-date") return book != null && book.rating !== null;
  return mode !== "in-progress";
}

/** Whether a mode requires a rating. A finished book that was imported without one needs none. */
export function needsRating(mode: Mode, book?: Pick<Book, "status" | "rating"> | null): boolean {
  const cameUnrated = book?.status === "completed" && book.rating === null;
  return (mode === "single" || mode === "span") && !cameUnrated;
}

/** Typed genres: separated by commas, trimmed, without empty ones. */
export function genresOf(typed: string): string[] {
  return typed
    .split(",")
    .map((genre) => genre.trim())
    .filter(Boolean);
}

/** A quote of which nothing but its text is known. */
export const plainQuote = (text: string): Passage => ({ text, place: null, note: null, day: null });

/** All quotes of a form, including one that was typed and not added. One may be a note without a text. */
export function passagesOf({ passages, nextQuote }: Pick<BookForm, "passages" | "nextQuote">): Passage[] {
  return [...passages, plainQuote(nextQuote)]
    .map(({ text, place, note, day }) => ({
      text: text.trim(),
      place: place?.trim() || null,
      note: note?.trim() || null,
      day,
    }))
    .filter(({ text, note }) => text !== "" || note !== null);
}

/**
 * The validation errors of a form; `book` is the stored book when it is edited. With `today`, yyyy-MM-dd, a later day is
 * an error until the reader confirms it.
 */
export function refusalsOf(form: BookForm, book?: Book | null, place: Partial<Place> = {}): Refusals {
  return only({
    title: nameRefusal("title", form.title),
    ...factsRefusals(form),
    wordCount: wordsRefusal(form.wordCount),
    pages: pagesRefusal(form.pages),
    minutes: minutesRefusal(form.minutes),
    nextQuote: passagesOf(form).map(passageRefusal).find(Boolean) || false,
    rating: form.rating === null && needsRating(form.mode, book) && "The rating is required.",
    place: placeRefusal(form),
    ...datesRefusals(form, place),
  });
}

function placeRefusal(form: BookForm): Refusal {
  if (!hasPlace(form.mode)) return false;
  const edition = editionOf(form);
  const checked = placePayload(typedPlace(form, edition), edition);
  return "refusal" in checked && checked.refusal;
}

/** The dates of a form. */
export type DateField = "startDate" | "dateCompleted" | "stoppedDate" | "pausedSince";

function datesRefusals(form: BookForm, place: Partial<Place>): Record<DateField, Refusal> {
  const { mode, startDate, dateCompleted, stoppedDate, pausedSince } = form;
  const { today } = place;
  const finished = mode === "single" || mode === "span";
  const stopped = mode === "did-not-finish";
  const started = mode === "span" || mode === "in-progress" || stopped;
  const isBeforeStart = (day: string) => day !== "" && startDate !== "" && day < startDate;
  const end = mode === "span" ? "The end date is required." : "The date of completion is required.";
  const late = mode === "span" && startDate !== "" && dateCompleted !== "" && startDate > dateCompleted;
  return {
    startDate:
      (mode === "span" && startDate === "" && "The start date is required.") ||
      (started && dayRefusal(startDate)) ||
      (late && "The start date can't be after the end date.") ||
      (started && futureRefusal(form, startDate, today)),
    dateCompleted:
      (finished && dateCompleted.trim() === "" && end) ||
      (mode === "single" && roughRefusal(form, place)) ||
      (mode === "span" && dayRefusal(dateCompleted)) ||
      (mode === "span" && futureRefusal(form, dateCompleted, today)),
    stoppedDate:
      (stopped && dayRefusal(stoppedDate)) ||
      (stopped && isBeforeStart(stoppedDate) && "The day can't be before the start date.") ||
      (stopped && futureRefusal(form, stoppedDate, today)),
    pausedSince:
      (mode === "in-progress" && dayRefusal(pausedSince)) ||
      (mode === "in-progress" && isBeforeStart(pausedSince) && "The day can't be before the start date.") ||
      (mode === "in-progress" && futureRefusal(form, pausedSince, today)),
  };
}

/** The error of a date that may be rough. Of a rough date the first possible day counts as the day. */
function roughRefusal(form: BookForm, place: Partial<Place>): Refusal {
  const read = readDate(form.dateCompleted, place);
  return read.refused !== undefined
    ? dateRefusal(form.dateCompleted, place, true)
    : futureRefusal(form, read.from ?? read.to, place.today);
}

/** Whether a day, yyyy-MM-dd, is after `today` and before the last day that a book may have. */
export function isFuture(day: string, today: string | undefined): boolean {
  return today !== undefined && day > today && day <= LAST_DAY;
}

function futureRefusal({ sureOf }: BookForm, day: string, today: string | undefined): Refusal {
  return isFuture(day, today) && !sureOf.includes(day) && `${longDate(day)} is in the future. Is it right?`;
}

/** The error of a typed word count. */
export function wordsRefusal(typed: string): Refusal {
  const words = wholeNumber(typed);
  const isOutside = words < 0 || words > BOOK_FIELDS.wordCount.maximum;
  return numberRefusal(typed) || (isOutside && WORDS_REFUSAL);
}

export function pagesRefusal(typed: string): Refusal {
  const pages = wholeNumber(typed);
  const isOutside = typed.trim() !== "" && (pages < 1 || pages > BOOK_FIELDS.pages.maximum);
  return numberRefusal(typed) || (isOutside && PAGES_REFUSAL);
}

export function minutesRefusal(typed: string): Refusal {
  if (typed.trim() === "") return false;
  const minutes = readMinutes(typed);
  if (minutes === null) return "Write the length as hours and minutes, like 12:30.";
  return (minutes < 1 || minutes > BOOK_FIELDS.minutes.maximum) && MINUTES_REFUSAL;
}

/** The error of one quote. */
export function quoteRefusal(quote: string): Refusal {
  return textRefusal("A quote", quote, BOOK_FIELDS.quotes.items.maxLength);
}

export const placeOfQuoteRefusal = (place: string): Refusal =>
  textRefusal("The place", place, QUOTE_CREATE.place.maxLength);

export const noteRefusal = (note: string): Refusal => textRefusal("The note", note, QUOTE_CREATE.note.maxLength);

/** A quote in one line, with what is known of it. */
export function passageText({ text, place, note }: Passage): string {
  const known = [place, note].filter(Boolean).join(": ");
  if (text === "") return known;
  return known ? `“${text}” (${known})` : `“${text}”`;
}

/** The error of a quote with its place and note. */
function passageRefusal({ text, place, note }: Passage): Refusal {
  return quoteRefusal(text) || placeOfQuoteRefusal(place ?? "") || noteRefusal(note ?? "");
}

/** The body of `PATCH /api/books/{id}`. The server derives year and month. */
export interface BookChange extends Facts {
  title: string;
  /** One author. Left out where there are several. */
  author?: string;
  /** Left out where there is one. */
  authors?: string[];
  wordCount: number;
  wordCountSource: Book["wordCountSource"];
  pages: number | null;
  minutes: number | null;
  isbn: string | null;
  format: Format;
  status: BookStatus;
  startDate: string | null;
  /** The day of completion, or the last possible one of a rough date. */
  dateCompleted: string | null;
  /** The first possible day of a rough date. */
  completedFrom: string | null;
  /** Left out by forms without these fields. */
  stoppedDate?: string | null;
  pausedSince?: string | null;
  /** Left out when the mode has no rating, so that a stored one stays. */
  rating?: number | null;
  wordDistribution: WordDistribution;
  reread: boolean;
  genres: string[];
  impressions: string | null;
  passages: readonly Passage[];
}

/** The body of `POST /api/books`. */
export type NewBook = Omit<BookChange, keyof Facts | "impressions" | "minutes" | "passages" | "completedFrom"> &
  Partial<Facts> & {
    minutes?: number;
    completedFrom?: string;
    impressions?: string;
    passages?: readonly Passage[];
    /** The to-be-read item that this book removes from the list. */
    tbrId?: number;
  };

const STATUSES: Record<Mode, BookStatus> = {
  single: "completed",
  span: "completed",
  "in-progress": "in-progress",
  "no-date": "undated",
  "did-not-finish": "did-not-finish",
};

/** The payload of a valid form that changes `book`. Empty fields are cleared. */
export function toChange(form: BookForm, place: Partial<Place>, book?: Book | null): BookChange {
  const { mode } = form;
  const change: BookChange = {
    ...factsPayload(form),
    ...authorsPayload(form, book != null && book.authors.length > 1),
    title: form.title.trim(),
    wordCount: wholeNumber(form.wordCount),
    wordCountSource: form.wordCountSource,
    pages: pagesOf(form.pages),
    minutes: minutesOf(form.minutes),
    isbn: form.isbn.trim() || null,
    format: form.format,
    status: STATUSES[mode],
    startDate: mode === "single" || mode === "no-date" ? null : form.startDate || null,
    ...completion(form, place),
    wordDistribution: mode === "span" ? form.wordDistribution : "final",
    reread: form.reread,
    genres: genresOf(form.genres),
    impressions: form.impressions || null,
    passages: passagesOf(form),
  };
  if (mode === "in-progress") Object.assign(change, { rating: null, pausedSince: form.pausedSince || null });
  if (mode === "did-not-finish") change.stoppedDate = form.stoppedDate || null;
  if (hasRating(mode, book)) change.rating = form.rating;
  return change;
}

/** The fields that all reads of a book may share: the form asks for which of them a change is meant. */
const SHARED = ["title", "author", "genres"] as const;

/** The names of the shared fields that `values` change. */
export function sharedChanges(base: BookForm, values: Pick<BookForm, (typeof SHARED)[number] | "authors">): string[] {
  const content = (form: typeof values) => [form.title.trim(), authorsOf(form), genresOf(form.genres)];
  const [before, after] = [content(base), content(values)];
  return SHARED.filter((_, at) => !isSame(before[at], after[at]));
}

/** What `values` change in a book whose form started with `base`. */
export function changes(base: BookForm, values: BookForm, place: Partial<Place>, book: Book): Partial<BookChange> {
  const wanted = toChange(values, place, book);
  const changed = changesOf(toChange(base, place, book), wanted);
  // A day without its first possible one is exact, so a rough date is sent with both ends.
  if ("dateCompleted" in changed && wanted.completedFrom !== null) changed.completedFrom = wanted.completedFrom;
  return changed;
}

/** The two ends of the date of completion, which are one day where it is exact. */
function completion(form: BookForm, place: Partial<Place>): Pick<BookChange, "dateCompleted" | "completedFrom"> {
  const { mode, dateCompleted } = form;
  if (mode === "span") return { dateCompleted, completedFrom: null };
  if (mode !== "single") return { dateCompleted: null, completedFrom: null };
  const read = readDate(dateCompleted, place);
  return read.refused === undefined
    ? { dateCompleted: read.to, completedFrom: read.from }
    : { dateCompleted, completedFrom: null };
}

/** The payload of a valid form that creates a book. Empty impressions and quotes are left out. */
export function toNew(form: BookForm, place: Partial<Place>, tbrId?: number): NewBook {
  const { impressions, minutes, passages, completedFrom, ...book } = toChange(form, place);
  return {
    ...knownFacts(book),
    ...(completedFrom === null ? {} : { completedFrom }),
    ...(minutes === null ? {} : { minutes }),
    ...(impressions === null ? {} : { impressions }),
    ...(passages.length === 0 ? {} : { passages }),
    ...(tbrId === undefined ? {} : { tbrId }),
  };
}

/** The form that finishes a book in progress `today`, yyyy-MM-dd. A known start makes it a span. */
export function finishForm(book: Book, today: string): BookForm {
  return { ...formOf(book), mode: book.startDate === null ? "single" : "span", dateCompleted: today };
}

/** The payload of a valid form that finishes a book: only the fields that change with it. */
export function toFinish(form: BookForm, place: Partial<Place>): Partial<BookChange> {
  const { status, startDate, dateCompleted, completedFrom, rating, wordDistribution } = toChange(form, place);
  const rough = completedFrom === null ? {} : { completedFrom };
  return { status, startDate, dateCompleted, ...rough, rating, wordDistribution };
}

/** A typed page count, null when it is empty. */
export function pagesOf(typed: string): number | null {
  return typed.trim() === "" ? null : wholeNumber(typed);
}

/** The minutes of a typed length, null when it is empty. */
export function minutesOf(typed: string): number | null {
  return typed.trim() === "" ? null : readMinutes(typed);
}

/** The form's field for a field of the API. */
export function formField(field: string): keyof BookForm | undefined {
  // The last four are those of the log.
  const renamed: Record<string, keyof BookForm> = {
    status: "mode",
    quotes: "nextQuote",
    passages: "nextQuote",
    authors: "author",
    tags: "nextTag",
    day: "place",
    page: "place",
    percent: "place",
    time: "place",
  };
  return renamed[field] ?? (field in emptyForm("Print") ? (field as keyof BookForm) : undefined);
}
