import type { Kind } from "./model";

const COLUMNS: Record<Kind, readonly string[]> = {
  books: ["Title", "Author", "Word Count", "Date Completed", "Rating", "Format", "Reread", "Genres", "Impressions"],
  tbr: ["Title", "Author", "Word Count", "Notes"],
};

/** A file to fill in: its name and its header line. */
export function template(kind: Kind): { name: string; text: string } {
  const name = kind === "books" ? "read-books-template.csv" : "tbr-template.csv";
  return { name, text: `${COLUMNS[kind].join(",")}\r\n` };
}
