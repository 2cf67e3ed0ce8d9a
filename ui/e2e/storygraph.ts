/**
 * A StoryGraph export of any size with the quirks of real ones, and what a reader should see of it, counted from the
 * intended readings before they become a file. StoryGraph has neither pages nor words: every number of words is 0.
 */
import { Count, type Expected } from "./expected";
import { day, isbn13, quoted, random, slashed } from "./made-up";

/** Both forms of the header: the current one, and that of 2021. */
export type Form = "now" | "2021";

export interface StoryGraphExpected extends Expected {
  /** Rows of books that were given up. */
  givenUp: number;
  /** Rows of books that are paused. */
  paused: number;
  /** Readings that Read Count includes and that have no date. */
  earlierReads: number;
  /** ISBN-13 by title of every book, null when the file has none. */
  isbns: Record<string, string | null>;
}

const COLUMNS =
  "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?";
/** StoryGraph's own columns of numbers, days and words are empty when they have no value. Texts are `""`. */
const BARE = new Set([
  "ISBN/UID",
  "Format",
  "Read Status",
  "Date Added",
  "Last Date Read",
  "Read Count",
  "Star Rating",
]);
const FORMATS = [
  ["paperback", "Print"],
  ["hardcover", "Print"],
  ["digital", "eBook"],
  ["audio", "Audio"],
  ["", "Print"],
] as const;
const STARS = ["5.0", "4.75", "4.5", "4.25", "3.75", "3.25", "2.5", "1.0", "0.25", "5", ""];
/** The tags, and the usual names that they get here. */
const GENRES: Readonly<Record<string, string>> = {
  fantasy: "Fantasy",
  "science fiction": "Science Fiction",
  memoir: "Memoir",
  poetry: "Poetry",
  classics: "Classics",
};

/** One reading in the format of the dates column. */
interface Span {
  start: string | null;
  finish: string;
}

const written = ({ start, finish }: Span) => (start ? `${slashed(start)}-${slashed(finish)}` : slashed(finish));

/** `rows` books as a file of that form, and what should become of them on the day `today` (yyyy-MM-dd). */
export function storygraph(rows: number, today: string, form: Form): { csv: string; expected: StoryGraphExpected } {
  const dice = random(form === "now" ? 20_250_526 : 20_210_713);
  const base = new Date(`${today}T00:00:00Z`);
  const columns = form === "now" ? COLUMNS : COLUMNS.replace("Authors", "Author").replace("ISBN/UID", "ISBN");
  const count = new Count(today);
  const items: string[] = [];
  const isbns: Record<string, string | null> = {};
  let [givenUp, paused, earlierReads, line] = [0, 0, 0, 2];
  const lines: string[] = [columns];

  /** A reading that ended some days ago, with or without its first day. */
  const span = (back: number): Span => ({
    start: dice.chance(0.6) ? day(base, back + 1 + dice.below(20)) : null,
    finish: day(base, back),
  });

  for (let number = 1; number <= rows; number++) {
    const plain = `Title ${number}`;
    const title = dice.oneOf([plain, `${plain}: "quoted", and more`, `${plain} — ünïcödé 本 📚`]);
    const author = `Given Family${dice.below(Math.ceil(rows / 6))}${dice.chance(0.05) ? ", Second Writer" : ""}`;
    const [written_as, format] = dice.oneOf(FORMATS);
    const stars = dice.oneOf(STARS);
    const tags = Object.keys(GENRES).filter(() => dice.chance(0.3));
    const genres = tags.flatMap((tag) => GENRES[tag] ?? []);
    const isbn = isbn13(number);
    const [uid, known] = dice.oneOf([
      [isbn, isbn],
      [`B0${String(number).padStart(8, "0")}`, null],
      ["", null],
    ] as const);
    const reading = { words: 0, author, genres, format, rating: Number(stars) * 2 };
    const row: Record<string, string> = {
      Title: title,
      Authors: author,
      Contributors: dice.oneOf(["", "A Person (Translator)", "A Voice (Narrator), A Person (Translator)"]),
      "ISBN/UID": uid,
      Format: written_as,
      "Date Added": slashed(day(base, dice.below(2000))),
      "Read Count": "1",
      Moods: dice.oneOf(["", "adventurous, dark", "hopeful"]),
      Pace: dice.oneOf(["", "medium"]),
      "Star Rating": stars,
      Review: dice.oneOf(["", "<div>Good.<br>Very <b>good</b>.</div>", "Two lines,\none review."]),
      "Content Warnings": dice.oneOf(["", "Death, War"]),
      Tags: tags.join(", "),
      "Owned?": dice.oneOf(["Yes", "No"]),
    };
    const book = () => {
      isbns[title] = known;
    };
    const item = () => {
      items.push(title);
      Object.assign(row, { "Star Rating": "", "Read Count": "0" });
    };
    const undated = (counted: number) => {
      row["Read Count"] = String(counted);
      earlierReads += counted - 1;
      book();
      count.finished(reading, null, counted > 1);
    };
    /** Readings with days, as many as the file counts or fewer. */
    const dated = (spans: Span[], counted = spans.length) => {
      const oldestFirst = [...spans].sort((one, other) => (one.finish < other.finish ? -1 : 1));
      row["Dates Read"] = spans.map(written).join(dice.oneOf([", ", ",", "; ", ";"]));
      row["Last Date Read"] = slashed(oldestFirst.at(-1)?.finish ?? "");
      row["Read Count"] = String(counted);
      earlierReads += counted - spans.length;
      book();
      for (const [nth, { finish }] of oldestFirst.entries()) {
        // The file's one rating is that of the latest reading.
        const rating = nth === oldestFirst.length - 1 ? reading.rating : 0;
        count.finished({ ...reading, rating }, finish, nth > 0 || counted > spans.length);
      }
    };
    const now = () => {
      book();
      count.unfinished();
      Object.assign(row, { "Star Rating": "", "Read Count": "0" });
    };

    const kind = dice.below(100);
    row["Read Status"] = "read";
    if (kind < 28) {
      row["Read Status"] = "to-read";
      item();
    } else if (kind < 32) {
      row["Read Status"] = "currently-reading";
      row["Dates Read"] = dice.oneOf(["", `${slashed(day(base, 9))}-`]);
      now();
    } else if (kind < 34) {
      // A reread in progress: the first reading is over, the second has begun.
      Object.assign(reading, { rating: 0 });
      dated([span(600 + dice.below(900))]);
      row["Read Status"] = "currently-reading";
      row["Dates Read"] += `, ${slashed(day(base, 9))}-`;
      count.unfinished();
      row["Star Rating"] = "";
    } else if (kind < 38) {
      row["Read Status"] = "did-not-finish";
      givenUp += 1;
      book();
      count.unfinished();
    } else if (kind < 41) {
      row["Read Status"] = "paused";
      paused += 1;
      now();
    } else if (kind < 43) {
      row["Read Status"] = "";
      dated([span(dice.below(900))]);
    } else if (kind < 45) {
      row["Read Status"] = "";
      item();
    } else if (kind < 58) {
      undated(dice.chance(0.1) ? 2 : 1);
    } else if (kind < 82) {
      dated([span(dice.below(dice.chance(0.3) ? 330 : 1800))]);
    } else if (kind < 93) {
      // In no chronological order.
      dated([span(700 + dice.below(300)), span(1400 + dice.below(300)), span(dice.below(500))].slice(dice.below(2)));
    } else if (kind < 98) {
      dated([span(dice.below(900))], 3);
    } else {
      row["Dates Read"] = dice.oneOf(["2021/02/31", "2021/01/01-2021/01/09, last summer"]);
      count.rejectedLines.push(line);
    }
    const text = COLUMNS.split(",")
      .map((name) => {
        const value = row[name] ?? "";
        return BARE.has(name) && !value.includes(",") ? value : quoted(value);
      })
      .join(",");
    lines.push(text);
    line += text.split("\n").length;
  }
  return {
    csv: `${lines.join("\n")}\n`,
    expected: { ...count.expected(items), givenUp, paused, earlierReads, isbns },
  };
}
