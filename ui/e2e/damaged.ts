/**
 * Files of three formats, each with one damaged row of every kind among valid ones, and the way a reader repairs them.
 * On the lines that {@link Damage.reasons} names, every file has a day that doesn't exist, no author, one cell too many, a
 * quote that never closes, and in our own format a rating out of range, which costs a row of other formats only the rating.
 */
import { cell } from "./made-up";

type Row = Record<string, string>;

export interface Damage {
  kind: string;
  fileName: string;
  csv: string;
  /** The number of valid rows, each of which becomes a book. */
  good: number;
  /** The reason why each row is refused, by the line where it begins. */
  reasons: Record<number, string>;
  /** What is said of a row that is imported without one of its cells, by its line. */
  notes: Record<number, string>;
  /** The values to write over a refused row's cells, by its line. */
  mended: Record<number, Row>;
}

interface Kind {
  kind: string;
  fileName: string;
  columns: string[];
  author: string;
  rating: string;
  day: string;
  /** The cells of a row beside title and author. */
  base: Row;
  /** A rating beyond the scale, and why it is refused. */
  tooMuch: [string, string];
  /** Whether such a rating costs the row only the rating. */
  keepsUnrated?: true;
}

const KINDS: Kind[] = [
  {
    kind: "Goodreads",
    fileName: "goodreads_library_export.csv",
    columns:
      "Book Id,Title,Author,ISBN13,My Rating,Binding,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review".split(
        ",",
      ),
    author: "Author",
    rating: "My Rating",
    day: "Date Read",
    base: {
      ISBN13: '=""',
      "My Rating": "4",
      "Number of Pages": "200",
      "Date Read": "2024/05/06",
      "Exclusive Shelf": "read",
    },
    tooMuch: ["7", "Rating “7” is not a number of stars from 0 to 5."],
    keepsUnrated: true,
  },
  {
    kind: "StoryGraph",
    fileName: "9a1b.csv",
    columns:
      "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating,Review,Tags,Owned?".split(
        ",",
      ),
    author: "Authors",
    rating: "Star Rating",
    day: "Last Date Read",
    base: { Format: "digital", "Read Status": "read", "Last Date Read": "2024/05/06", "Star Rating": "4.5" },
    tooMuch: ["5.25", "Rating “5.25” is not a number of stars from 0 to 5."],
    keepsUnrated: true,
  },
  {
    kind: "Shelfwise",
    fileName: "books.csv",
    columns:
      "Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres,Impressions,Quotes,Status,Start Date,Word Distribution,Word Count Source,Pages,ISBN".split(
        ",",
      ),
    author: "Author",
    rating: "Rating",
    day: "Date Completed",
    base: {
      "Word Count": "80000",
      "Date Completed": "2024-05-06",
      Rating: "8",
      Format: "Print",
      Reread: "No",
      Status: "completed",
      "Word Distribution": "final",
      "Word Count Source": "entered",
    },
    tooMuch: ["11", "Rating “11” is not a number from 0 to 10 with at most one decimal."],
  },
];

/** The title of the first refused row. The download escapes it as a formula, and the next import restores it. */
export const FORMULA = "-30-";
const GOOD_BEFORE = 2;

function damage({ columns, base, author, rating, day, tooMuch, keepsUnrated, ...file }: Kind): Damage {
  const lines = [columns.join(",")];
  const rowOf = (title: string, more: Row = {}): Row => ({ ...base, Title: title, [author]: "Ann Author", ...more });
  const text = (row: Row) => columns.map((name) => cell(row[name] ?? "")).join(",");
  const [notes, reasons]: [Damage["notes"], Damage["reasons"]] = [{}, {}];
  const mended: Damage["mended"] = {};
  const textColumn = columns.find((name) => /Review|Impressions/.test(name)) ?? "";
  let line = 2;
  const write = (raw: string) => {
    lines.push(raw);
    line += raw.split("\n").length;
  };
  const refused = (raw: string, reason: string, mend: Row) => {
    reasons[line] = reason;
    mended[line] = mend;
    write(raw);
  };
  for (let number = 1; number <= GOOD_BEFORE; number++) {
    write(text(rowOf(`Good ${number}`, { [textColumn]: "One line,\nand another." })));
  }
  refused(text(rowOf(FORMULA, { [day]: "2021/02/31" })), "“2021/02/31” is not a date between 1900 and 2100.", {
    [day]: "2021/02/28",
  });
  refused(text(rowOf("Nobody’s", { [author]: "" })), "The author is required.", { [author]: "Somebody" });
  write(text(rowOf("Good among bad", { [textColumn]: "Two\r\nlines" })));
  const [beyond, reason] = tooMuch;
  const unrated = text(rowOf("Beyond measure", { [rating]: beyond }));
  if (keepsUnrated) {
    notes[line] = `${reason} The cell is left empty.`;
    write(unrated);
  } else refused(unrated, reason, { [rating]: "5" });
  const width = columns.length;
  refused(
    `${text(rowOf("Too wide"))},stray`,
    `This row has ${width + 1} cells and the header has ${width}: a text with a comma in it needs quotes around it.`,
    { [columns.at(-1) ?? ""]: "" },
  );
  write(text(rowOf("Good at last")));
  // As in a file that breaks off in the middle of a long text.
  refused(
    text(rowOf("Open to the end", { [textColumn]: "Cut off" })).replace("Cut off", '"Cut off'),
    "A quote opens in this row and never closes.",
    rowOf("Open to the end", { [textColumn]: "" }),
  );
  return { ...file, csv: lines.join("\n"), good: GOOD_BEFORE + (keepsUnrated ? 3 : 2), notes, reasons, mended };
}

/** A damaged file of each format. */
export const DAMAGED: Damage[] = KINDS.map(damage);
