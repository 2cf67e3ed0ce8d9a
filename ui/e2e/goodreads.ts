/**
 * A Goodreads export of any size with the quirks of real ones, and what a reader should see of it. The numbers are
 * counted from the intended readings before they become a file, and are independent of how the product reads it.
 */
import { Count, type Expected } from "./expected";
import { cell, day, isbn13, random, slashed } from "./made-up";

const WORDS_A_PAGE = 275;
const COLUMNS =
  "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies,read_dates,genres,n_ratings";
const BINDINGS: [string, "Print" | "eBook" | "Audio"][] = [
  ["Paperback", "Print"],
  ["Hardcover", "Print"],
  ["Kindle Edition", "eBook"],
  ["ebook", "eBook"],
  ["Audible Audio", "Audio"],
  ["Audio CD", "Audio"],
  ["Mass Market Paperback", "Print"],
  ["Gebundene Ausgabe", "Print"],
  ["単行本", "Print"],
  ["", "Print"],
];
const GENRES = ["Fantasy", "Science Fiction", "Mystery", "History", "Memoir", "Poetry", "Classics"];
const YEARS = ["1999", "-800", "49", "32767", "", "2011"];

/** `rows` books as a file, and what should become of them on the day `today` (yyyy-MM-dd). */
export function goodreads(rows: number, today: string): { csv: string; expected: Expected } {
  const dice = random(20_260_101);
  const base = new Date(`${today}T00:00:00Z`);
  const lines = [COLUMNS];
  const count = new Count(today);
  const toRead: string[] = [];
  for (let number = 1; number <= rows; number++) {
    const kind = dice.below(100);
    const plain = `Title ${number}`;
    const title = [
      plain,
      `${plain} (The Expanse, #${number})`,
      `${plain}, "quoted", and more`,
      `${plain} — ünïcödé 本 📚`,
    ][dice.below(4)] as string;
    const person = dice.below(Math.ceil(rows / 6));
    // The file has two spaces where a middle name is missing.
    const author = `Given Family${person}`;
    const [binding, format] = BINDINGS[dice.below(BINDINGS.length)] as (typeof BINDINGS)[number];
    // Fewer pages of an audiobook are taken for hours.
    const pages = dice.chance(0.02) ? null : 61 + dice.below(900);
    const words = (pages ?? 0) * WORDS_A_PAGE;
    const rating = dice.chance(0.15) ? 0 : 1 + dice.below(5);
    const genres = [...new Set([GENRES[dice.below(GENRES.length)], GENRES[dice.below(GENRES.length)]])] as string[];
    const isbn = dice.chance(0.2) ? "" : isbn13(number);
    const read = { words, author, genres, format, rating: rating * 2 };
    const row: Record<string, string> = {
      "Book Id": String(number),
      Title: title,
      Author: author.replace(" ", "  "),
      "Additional Authors": dice.chance(0.1) ? "A Translator, A Narrator" : "",
      ISBN: '=""',
      ISBN13: `="${isbn}"`,
      "My Rating": String(rating),
      Binding: binding,
      "Number of Pages": pages === null ? "" : String(pages),
      "Year Published": YEARS[dice.below(YEARS.length)] as string,
      "Date Added": slashed(day(base, dice.below(2000))),
      Bookshelves: "favorites, owned",
      "Bookshelves with positions": `favorites (#${number}), owned (#${number})`,
      "Read Count": "1",
      "Owned Copies": "0",
      genres: genres.map((name, at) => `${name}|${100 - at}`).join(";"),
    };
    if (kind < 45) {
      // To be read, in an order that is not the file's.
      toRead.push(title);
      Object.assign(row, { "My Rating": "0", "Read Count": "0", "Exclusive Shelf": "to-read" });
      row.Bookshelves = "to-read";
      row["Bookshelves with positions"] = `to-read (#${rows - number + 1})`;
    } else if (kind < 48) {
      count.unfinished();
      Object.assign(row, { "Exclusive Shelf": "currently-reading", "My Rating": "0", "Read Count": "0" });
    } else if (kind < 50) {
      // Given up: a custom shelf whose name says so.
      count.unfinished();
      Object.assign(row, { "Exclusive Shelf": "did-not-finish" });
    } else if (kind < 68) {
      row["Exclusive Shelf"] = "read";
      count.finished(read, null, false);
    } else if (kind < 92) {
      const date = day(base, dice.below(dice.chance(0.3) ? 330 : 2500));
      const counted = dice.chance(0.05) ? 3 : 1;
      row["Exclusive Shelf"] = "read";
      row["Date Read"] = slashed(date);
      row["Read Count"] = String(counted);
      row["My Review"] = dice.chance(0.2)
        ? 'Good.<br/><br/>Very <b>good</b>, "really". <spoiler>He dies.</spoiler>'
        : "";
      count.finished(read, date, counted > 1);
    } else if (kind < 99) {
      // Read twice, with days: the first reading has only its last day, the second has both.
      const second = day(base, dice.below(700));
      const started = day(new Date(`${second}T00:00:00Z`), 1 + dice.below(20));
      const first = day(base, 1000 + dice.below(1500));
      Object.assign(row, { "Exclusive Shelf": "read", "Date Read": slashed(second), "Read Count": "2" });
      row.read_dates = `,${first};${started},${second}`;
      // The file's one rating is that of the latest reading.
      count.finished({ ...read, rating: 0 }, first, false);
      count.finished(read, second, true);
    } else {
      Object.assign(row, { "Exclusive Shelf": "read", "Date Read": "2021/02/31" });
      count.rejectedLines.push(number + 1);
    }
    lines.push(
      COLUMNS.split(",")
        .map((name) => cell(row[name] ?? ""))
        .join(","),
    );
  }
  return { csv: `${lines.join("\n")}\n`, expected: count.expected(toRead.reverse()) };
}
