import type { Book } from "../../kit/api/types";
import { save, UTF8_MARK } from "../../kit/download";
import { exportedDate } from "../../kit/roughDate";

const HEADER = ["Title", "Author", "Word Count", "Date Completed", "Rating", "Format", "Reread", "Genres"];

/**
 * A text that no spreadsheet runs as a formula: a text that looks like one gets a leading apostrophe. A text that
 * already has leading apostrophes gets one more, so that removing one always restores the text.
 */
function harmless(text: string): string {
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function row(book: Book): string {
  const cells = [
    harmless(book.title),
    harmless(book.author),
    String(book.wordCount),
    book.dateCompleted === null ? "" : exportedDate(book.dateCompleted, book.completedFrom),
    book.rating === null ? "" : String(book.rating),
    book.format,
    book.reread ? "Yes" : "No",
    harmless(book.genres.join(", ")),
  ];
  return cells.map(quoted).join(",");
}

/** The books as the dashboard's CSV. */
export function booksCsv(books: readonly Book[]): string {
  return [HEADER.join(","), ...books.map(row), ""].join("\n");
}

/** The name of a CSV file that is made on a day, yyyy-MM-dd. */
export function csvName(today: string): string {
  return `reading-data-${today}.csv`;
}

/** Saves a CSV text as a file. */
export function download(name: string, text: string): void {
  save(name, new Blob([UTF8_MARK, text], { type: "text/csv;charset=utf-8" }));
}
