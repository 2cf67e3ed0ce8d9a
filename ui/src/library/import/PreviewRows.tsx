import { useState } from "react";
import type { ImportPreview, PreviewBook, PreviewItem } from "../../kit/api/types";
import { counted, duration, longDate } from "../../kit/format";
import { OTHER_BLUE } from "../../kit/spine/blue";
import { bluesByRank } from "../../kit/spine/rank";
import { Badge, GenreBadge, Rating } from "../../kit/ui/Badge";
import { Button } from "../../kit/ui/Button";
import { FormatName } from "../../kit/ui/FormatIcon";
import { BookRow, BookRows } from "../books/BookRow";
import { ReadingDates } from "../books/BooksTableParts";
import css from "./Import.module.css";
import { FIRST_ROWS, type Kind } from "./model";

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
function PreviewBooks({ books }: { books: readonly PreviewBook[] }) {
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

interface PreviewRowsProps {
  kind: Kind;
  preview: ImportPreview;
}

/** The first new books and items of a file. */
export function PreviewRows({ kind, preview }: PreviewRowsProps) {
  const [all, setAll] = useState(false);
  const first = <Row,>(rows: readonly Row[]) => (all ? rows : rows.slice(0, FIRST_ROWS));
  const more = [preview.books, preview.tbr].reduce((sum, rows) => sum + Math.max(0, rows.length - FIRST_ROWS), 0);
  return (
    <div>
      {preview.books.length > 0 && <PreviewBooks books={first(preview.books)} />}
      {preview.tbr.length > 0 && (
        <>
          {kind === "books" && <p className={`label ${css.toTbr}`}>To your TBR</p>}
          <PreviewItems items={first(preview.tbr)} />
        </>
      )}
      {more > 0 && (
        <div className={css.more}>
          <Button size="compact" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${more} more`}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Items of the TBR list as read from the file. */
function PreviewItems({ items }: { items: readonly PreviewItem[] }) {
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
