/** Words and books of one genre, format, month or author. */
interface Sum {
  words: number;
  books: number;
}

/** What a reader should see of a library. */
export interface Expected {
  books: number;
  items: number;
  /** Titles of the to-read shelf in its order. */
  itemTitles: string[];
  /** Refused rows, as lines of the file. */
  rejectedLines: number[];
  totalWords: number;
  wordsYtd: number;
  wordsLast30Days: number;
  booksRead: number;
  averageRating: number;
  authors: number;
  rereads: number;
  unfinished: number;
  undated: number;
  genres: Record<string, Sum>;
  formats: Record<string, Sum>;
  months: Record<string, Sum>;
  topAuthors: ({ name: string } & Sum)[];
}

interface Reading {
  words: number;
  /** Several are separated by commas; the book counts for each. */
  author: string;
  genres: readonly string[];
  format: string;
  /** 0 to 10, 0 for unrated. */
  rating: number;
}

const add = (sums: Record<string, Sum>, name: string, words: number) => {
  sums[name] ??= { words: 0, books: 0 };
  sums[name].words += words;
  sums[name].books += 1;
};

/** Counts the intended readings by the documented rules, independently of file formats and of the product's code. */
export class Count {
  readonly rejectedLines: number[] = [];
  private readonly newYear: string;
  private readonly monthAgo: string;
  private readonly authors: Record<string, Sum> = {};
  private readonly ratings: number[] = [];
  private readonly sums = {
    books: 0,
    totalWords: 0,
    wordsYtd: 0,
    wordsLast30Days: 0,
    booksRead: 0,
    rereads: 0,
    unfinished: 0,
    undated: 0,
    genres: {} as Record<string, Sum>,
    formats: {} as Record<string, Sum>,
    months: {} as Record<string, Sum>,
  };

  /** Counts as of the day `today`, yyyy-MM-dd. */
  constructor(private readonly today: string) {
    this.newYear = `${today.slice(0, 4)}-01-01`;
    this.monthAgo = new Date(Date.parse(today) - 30 * 86_400_000).toISOString().slice(0, 10);
  }

  /** A book that is being read, paused or given up. It counts in no figure but the number of books. */
  unfinished(): void {
    this.sums.books += 1;
    this.sums.unfinished += 1;
  }

  finished({ words, author, genres, format, rating }: Reading, date: string | null, reread: boolean): void {
    const { sums } = this;
    sums.books += 1;
    sums.booksRead += 1;
    sums.totalWords += words;
    if (reread) sums.rereads += 1;
    if (rating > 0) this.ratings.push(rating);
    for (const name of author.split(", ")) add(this.authors, name, words);
    for (const genre of genres) add(sums.genres, genre, words);
    add(sums.formats, format, words);
    if (date === null) {
      sums.undated += 1;
      return;
    }
    add(sums.months, date.slice(0, 7), words);
    if (date >= this.newYear) sums.wordsYtd += words;
    if (date >= this.monthAgo && date <= this.today) sums.wordsLast30Days += words;
  }

  /** The totals, with the titles of the list in their order. */
  expected(itemTitles: string[]): Expected {
    const sum = this.ratings.reduce((total, rating) => total + rating, 0);
    return {
      ...this.sums,
      itemTitles,
      items: itemTitles.length,
      rejectedLines: this.rejectedLines,
      averageRating: Math.round((sum / this.ratings.length) * 10) / 10,
      authors: Object.keys(this.authors).length,
      topAuthors: Object.entries(this.authors)
        .map(([name, of]) => ({ name, ...of }))
        .sort((one, other) => other.words - one.words || (one.name < other.name ? -1 : 1)),
    };
  }
}
