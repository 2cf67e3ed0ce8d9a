import type { ShelfBook } from "../api/types";
import { type Blue, OTHER_BLUE } from "./blue";

/** Two years of a sample reader's books, for pages that show the program to visitors and to new readers. */

/** Title, author, words, genres, format, rating, date of completion, and R for a reread. */
type Row = readonly [string, string, number, string, "P" | "E" | "A", number, string, "R"?];

const ROWS: readonly Row[] = [
  ["Piranesi", "Susanna Clarke", 68200, "Fantasy", "P", 9, "2024-01-09"],
  ["Wolf Hall", "Hilary Mantel", 259400, "Historical Fiction", "P", 10, "2024-01-28"],
  ["The Thursday Murder Club", "Richard Osman", 98300, "Mystery", "A", 7, "2024-02-11"],
  ["Middlemarch", "George Eliot", 316059, "Classics", "P", 10, "2024-03-02"],
  ["Foster", "Claire Keegan", 17100, "Literary Fiction", "E", 9, "2024-03-15"],
  ["A Memory Called Empire", "Arkady Martine", 141300, "Science Fiction", "E", 8, "2024-03-24"],
  ["Crying in H Mart", "Michelle Zauner", 71500, "Memoir", "A", 8, "2024-04-07"],
  ["The Name of the Rose", "Umberto Eco", 183600, "Historical Fiction, Mystery", "P", 9, "2024-04-21"],
  ["Ancillary Justice", "Ann Leckie", 119700, "Science Fiction", "E", 8, "2024-05-05"],
  ["The Living Mountain", "Nan Shepherd", 31200, "Nature", "P", 9, "2024-05-19"],
  ["Empire of Pain", "Patrick Radden Keefe", 190400, "History", "A", 9, "2024-06-02"],
  ["Emma", "Jane Austen", 155887, "Classics", "E", 8, "2024-06-16", "R"],
  ["Sea of Tranquility", "Emily St. John Mandel", 58300, "Science Fiction", "E", 7, "2024-06-30"],
  ["The Fifth Season", "N. K. Jemisin", 144200, "Fantasy, Science Fiction", "E", 9, "2024-07-14"],
  ["The Obelisk Gate", "N. K. Jemisin", 126100, "Fantasy, Science Fiction", "E", 8, "2024-07-26"],
  ["The Stone Sky", "N. K. Jemisin", 128400, "Fantasy, Science Fiction", "E", 9, "2024-08-08"],
  ["In the Woods", "Tana French", 192700, "Mystery", "P", 7, "2024-08-25"],
  ["Just Kids", "Patti Smith", 76100, "Memoir", "A", 9, "2024-09-08"],
  ["The Warmth of Other Suns", "Isabel Wilkerson", 232500, "History", "A", 10, "2024-09-29"],
  ["The Hound of the Baskervilles", "Arthur Conan Doyle", 59100, "Mystery, Classics", "E", 8, "2024-10-12", "R"],
  ["Beloved", "Toni Morrison", 97200, "Literary Fiction", "P", 10, "2024-10-27"],
  ["Orbital", "Samantha Harvey", 42400, "Literary Fiction", "P", 8, "2024-11-10"],
  ["SPQR", "Mary Beard", 182300, "History", "P", 7, "2024-11-30"],
  ["Persuasion", "Jane Austen", 83658, "Classics", "P", 10, "2024-12-15", "R"],
  ["The Hobbit", "J. R. R. Tolkien", 95022, "Fantasy", "P", 9, "2024-12-28", "R"],
  ["The Fellowship of the Ring", "J. R. R. Tolkien", 187790, "Fantasy", "A", 9, "2025-01-05", "R"],
  ["The Two Towers", "J. R. R. Tolkien", 156198, "Fantasy", "A", 9, "2025-01-19", "R"],
  ["The Return of the King", "J. R. R. Tolkien", 137115, "Fantasy", "A", 10, "2025-02-02", "R"],
  ["Small Things Like These", "Claire Keegan", 21300, "Literary Fiction", "P", 10, "2025-02-09"],
  ["The Left Hand of Darkness", "Ursula K. Le Guin", 85400, "Science Fiction", "P", 10, "2025-02-23"],
  ["The Dispossessed", "Ursula K. Le Guin", 107300, "Science Fiction", "P", 9, "2025-03-08"],
  ["A Wizard of Earthsea", "Ursula K. Le Guin", 56533, "Fantasy", "P", 9, "2025-03-16"],
  ["Bring Up the Bodies", "Hilary Mantel", 151200, "Historical Fiction", "P", 9, "2025-03-30"],
  ["Braiding Sweetgrass", "Robin Wall Kimmerer", 131400, "Nature", "A", 8, "2025-04-13"],
  ["Babel", "R. F. Kuang", 206300, "Fantasy, Historical Fiction", "E", 7, "2025-04-27"],
  ["And Then There Were None", "Agatha Christie", 53200, "Mystery", "E", 8, "2025-05-04"],
  ["Klara and the Sun", "Kazuo Ishiguro", 96400, "Science Fiction, Literary Fiction", "E", 8, "2025-05-18"],
  ["Never Let Me Go", "Kazuo Ishiguro", 96096, "Science Fiction, Literary Fiction", "P", 9, "2025-05-25", "R"],
  ["The Remains of the Day", "Kazuo Ishiguro", 69300, "Literary Fiction", "P", 10, "2025-06-01"],
  ["Dune", "Frank Herbert", 187240, "Science Fiction", "P", 9, "2025-06-22"],
  ["Project Hail Mary", "Andy Weir", 157100, "Science Fiction", "A", 9, "2025-07-06"],
  ["Entangled Life", "Merlin Sheldrake", 91200, "Nature", "P", 8, "2025-07-13"],
  ["Circe", "Madeline Miller", 119300, "Fantasy", "E", 8, "2025-07-27"],
  ["Hamnet", "Maggie O’Farrell", 106400, "Historical Fiction", "P", 9, "2025-08-03"],
  ["Invisible Cities", "Italo Calvino", 35100, "Literary Fiction", "P", 10, "2025-08-10"],
  ["Jonathan Strange & Mr Norrell", "Susanna Clarke", 308931, "Fantasy, Historical Fiction", "P", 10, "2025-08-31"],
  ["H is for Hawk", "Helen Macdonald", 96300, "Memoir, Nature", "A", 8, "2025-09-07"],
  ["James", "Percival Everett", 76200, "Historical Fiction, Literary Fiction", "P", 9, "2025-09-14"],
  ["The Murder of Roger Ackroyd", "Agatha Christie", 70400, "Mystery", "E", 9, "2025-09-21"],
  ["Station Eleven", "Emily St. John Mandel", 99200, "Science Fiction", "E", 8, "2025-09-28"],
  ["Gaudy Night", "Dorothy L. Sayers", 181300, "Mystery", "P", 9, "2025-10-05"],
  ["Gilead", "Marilynne Robinson", 85200, "Literary Fiction", "P", 9, "2025-10-12"],
  ["Say Nothing", "Patrick Radden Keefe", 146300, "History", "A", 9, "2025-10-19"],
  ["Jane Eyre", "Charlotte Brontë", 183858, "Classics", "P", 9, "2025-10-26"],
  ["Song of Solomon", "Toni Morrison", 114200, "Literary Fiction", "P", 9, "2025-11-02"],
  ["Tomorrow, and Tomorrow, and Tomorrow", "Gabrielle Zevin", 136400, "Literary Fiction", "E", 6, "2025-11-09"],
  ["Educated", "Tara Westover", 111200, "Memoir", "A", 8, "2025-11-16"],
];

const FORMATS = { P: "Print", E: "eBook", A: "Audio" } as const;

/** Finished books, oldest first. */
export const SAMPLE_BOOKS: readonly ShelfBook[] = ROWS.map(
  ([title, author, wordCount, genres, format, rating, date, reread], i) => ({
    id: i + 1,
    title,
    author,
    wordCount,
    rating,
    format: FORMATS[format],
    genres: genres.split(", "),
    startDate: null,
    date,
    completedFrom: null,
    reread: reread === "R",
  }),
);

/** The sample’s genres, most words first. */
export const SAMPLE_GENRES: readonly string[] = [
  "Fantasy",
  "Science Fiction",
  "Historical Fiction",
  "Classics",
  "Literary Fiction",
  "Mystery",
];

/** The blue of a sample book. */
export function sampleBlue(genre: string | undefined): Blue {
  const rank = SAMPLE_GENRES.indexOf(genre ?? "");
  return rank >= 0 && rank < 5 ? ((rank + 1) as Blue) : OTHER_BLUE;
}

/** The sample's last year. */
export const SAMPLE_YEAR = SAMPLE_BOOKS.filter((book) => (book.date ?? "") >= "2025-01-01");

/** The first items of the sample's to-be-read list. */
export const SAMPLE_PILE = [
  {
    title: "The Books of Jacob",
    author: "Olga Tokarczuk",
    wordCount: 318_000,
    notes: "Start it in January, with nothing else on the go.",
  },
  { title: "The Brothers Karamazov", author: "Fyodor Dostoevsky", wordCount: 364_153, notes: null },
  { title: "Kindred", author: "Octavia E. Butler", wordCount: 97_300, notes: "Recommended by Imani." },
  { title: "Demon Copperhead", author: "Barbara Kingsolver", wordCount: 212_000, notes: null },
] as const;
