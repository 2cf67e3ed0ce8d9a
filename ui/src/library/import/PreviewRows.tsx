import type { PreviewBook, PreviewItem } from "../../kit/api/types";
import { counted, duration, longDate } from "../../kit/format";
import { OTHER_BLUE } from "../../kit/spine/blue";
import { bluesByRank } from "../../kit/spine/rank";
import { Badge, GenreBadge, Rating } from "../../kit/ui/Badge";
import { FormatName } from "../../kit/ui/FormatIcon";
import { BookRow, BookRows } from "../books/BookRow";
import { ReadingDates } from "../books/BooksTableParts";

/** Genres ranked by words within the preview. The ranks of the library will change with the import in any case. */
function ranked(books: readonly PreviewBook[]): string[] {
  const words = new Map<string, number>();
  for (const { genres, wordCount } of books) {
    for (const genre of genres) words.set(genre, (words.get(genre) ?? 0) + wordCount);
  }
  return [...words].sort(([, a], [, b]) => b - a).map(([genre]) => genre);
}

/** The words, and their source when they were calculated. */
function wordsText({ wordCount, wordCountSource, pages, minutes }: PreviewBook): string {
  const words = counted(wordCount, "word");
  if (wordCountSource === "pages" && pages !== null) return `${words}, from ${counted(pages, "page")}`;
  return wordCountSource === "minutes" && minutes !== null ? `${words}, from ${duration(minutes)}` : words;
}

/** The days of a book that is not finished: when it was started, put aside or given up. */
function unfinishedDays({ status, startDate, pausedSince, stoppedDate }: PreviewBook): string {
  if (status === "completed") return "";
  const days = [
    startDate && `started ${longDate(startDate)}`,
    pausedSince && `paused since ${longDate(pausedSince)}`,
    stoppedDate && `stopped ${longDate(stoppedDate)}`,
  ];
  return days.filter(Boolean).join(", ");
}

/** Books as read from the file. They are not in the library yet, so there is nothing to edit. */
export function PreviewBooks({ books }: { books: readonly PreviewBook[] }) {
  const blueOf = bluesByRank(ranked(books));
  return (
    <BookRows>
      {books.map((book, i) => (
        <BookRow
          // biome-ignore lint/suspicious/noArrayIndexKey: books of a preview have no id, and their order stays
          key={i}
          book={book}
          blue={blueOf(book.genres[0])}
          outlined={book.status === "in-progress" || book.status === "did-not-finish"}
          facts={
            <>
              <span>{wordsText(book)}</span>
              <ReadingDates book={book} />
              {unfinishedDays(book) && <span>{unfinishedDays(book)}</span>}
              <FormatName format={book.format} />
            </>
          }
          badges={
            <>
              {book.reread && <Badge>Reread</Badge>}
              {book.genres.map((genre) => (
                <GenreBadge key={genre} genre={genre} blue={blueOf(genre)} />
              ))}
            </>
          }
        >
          {book.rating !== null && <Rating value={book.rating} />}
        </BookRow>
      ))}
    </BookRows>
  );
}

/** Items of the TBR list as read from the file. */
export function PreviewItems({ items }: { items: readonly PreviewItem[] }) {
  return (
    <BookRows>
      {items.map((item, i) => (
        <BookRow
          // biome-ignore lint/suspicious/noArrayIndexKey: items of a preview have no id, and their order stays
          key={i}
          book={{ ...item, rating: null }}
          blue={OTHER_BLUE}
          outlined
          facts={item.wordCount !== null && <span>{counted(item.wordCount, "word")}</span>}
        />
      ))}
    </BookRows>
  );
}
