/** What a fill-in adds, in words. */
import type { Refill, RefillField } from "../../kit/api/types";
import { counted, duration, instantDate, whole } from "../../kit/format";

/** The label of each field, and its words in a sentence. */
const FIELDS: Record<RefillField, { label: string; short: string }> = {
  series: { label: "Series and number, no longer in the title", short: "series" },
  title: { label: "Subtitles, behind the title", short: "subtitles" },
  authors: { label: "Second authors", short: "second authors" },
  contributors: { label: "Translators, narrators and others", short: "people" },
  tags: { label: "Tags, from shelves of your own", short: "tags" },
  publisher: { label: "Publisher", short: "publisher" },
  published: { label: "Year published", short: "year" },
  originalYear: { label: "Year of the first edition", short: "first edition" },
  language: { label: "Language", short: "language" },
  isbn: { label: "ISBN", short: "ISBN" },
  pages: { label: "Pages", short: "pages" },
  minutes: { label: "Lengths of audiobooks", short: "lengths" },
  audioPages: { label: "Page counts of audiobooks that look like hours, as hours", short: "hours" },
  words: { label: "Words, from the file or at 275 a page", short: "words" },
  ratings: { label: "Quarter ratings", short: "quarter ratings" },
  dates: { label: "Dates that were not read before", short: "dates" },
  progress: { label: "The place in books that are open", short: "places" },
  copiedRatings: { label: "Keep rating and review on the latest read only", short: "copied ratings" },
};

const FORMATS: Readonly<Record<string, string>> = {
  goodreads: "Goodreads’",
  storygraph: "The StoryGraph’s",
  hardcover: "Hardcover’s",
  librarything: "LibraryThing’s",
  bookwyrm: "BookWyrm’s",
  openreads: "Openreads’",
  jelu: "Jelu’s",
  yamtrack: "Yamtrack’s",
  calibre: "Calibre’s",
  openlibrary: "Open Library’s",
  libib: "Libib’s",
  readinglist: "Reading List’s",
  bookcatalogue: "Book Catalogue’s",
  libation: "Libation’s",
};

/** The label of a field. */
export const labelOf = (field: RefillField): string => FIELDS[field].label;

/** A value of an example as it is shown: numbers of words and pages with separators, and a dash for none. */
export function exampleText(field: RefillField, value: string | null): string {
  if (value === null) return "–";
  if (field === "minutes" && /^\d+$/.test(value)) return duration(Number(value));
  const isNumber = (field === "words" || field === "pages") && /^\d+$/.test(value);
  return isNumber ? whole(Number(value)) : value;
}

/** The file that says something: `Goodreads’ file of Mar 3, 2025`, a day in the reader's time zone. */
function fileName({ format, createdAt }: Refill["files"][number], zone: string | undefined): string {
  return `${FORMATS[format] ?? "The"} file of ${instantDate(createdAt, zone)}`;
}

/** `Goodreads’ file of Mar 3, 2025 can add: series for 62 books, publisher for 171.` */
export function gainsText({ files, fields }: Refill, zone: string | undefined): string {
  const [file, ...more] = files.filter(({ books }) => books > 0);
  const whose = file && more.length === 0 ? fileName(file, zone) : "Your files";
  const found = fields.filter(({ books }) => books > 0);
  const parts = found.map(
    ({ field, books }, at) => `${FIELDS[field].short} for ${at === 0 ? counted(books, "book") : whole(books)}`,
  );
  return `${whose} can add: ${parts.join(", ")}.`;
}

/** The rows that an import skipped and did not keep: `6 rows of Goodreads’ file of Mar 3, 2025`. */
export function notKeptText(file: Refill["files"][number], zone: string | undefined): string {
  const one = file.notKept === 1;
  const givenUp = one ? "maybe a book that you gave up" : "books that you gave up among them";
  return `${counted(file.notKept, "row")} of ${fileName(file, zone)} ${one ? "was" : "were"} skipped at the time, ${givenUp}, and ${one ? "was" : "were"} not kept.`;
}

/** Whether a file can add anything, chosen or not. */
export const hasGains = ({ fields }: Refill): boolean => fields.some(({ books }) => books > 0);
