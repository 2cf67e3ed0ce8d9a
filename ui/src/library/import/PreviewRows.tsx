import type { PreviewBook, PreviewItem } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { bluesByRank } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Badge, Badges, GenreBadge, Rating } from "../../kit/ui/Badge";
import { FormatName, ReadingDates } from "../books/BooksTableParts";
import css from "./PreviewRows.module.css";

/** Genres by words within the preview: the library's own ranks will change by the import in any case. */
function ranked(books: readonly PreviewBook[]): string[] {
  const words = new Map<string, number>();
  for (const { genres, wordCount } of books) {
    for (const genre of genres) words.set(genre, (words.get(genre) ?? 0) + wordCount);
  }
  return [...words].sort(([, a], [, b]) => b - a).map(([genre]) => genre);
}

/** Words, and where they come from when they were worked out. */
function wordsText(wordCount: number, pages: number | null, fromPages: boolean): string {
  return `${whole(wordCount)} words${fromPages && pages !== null ? `, from ${whole(pages)} pages` : ""}`;
}

/** Books as they were read from the file. They are not in the library yet, so there is nothing to edit. */
export function PreviewBooks({ books }: { books: readonly PreviewBook[] }) {
  const blueOf = bluesByRank(ranked(books));
  return (
    <ul className={css.list}>
      {books.map((book, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: books of a preview have no id, and their order stays
        <li className={css.row} key={i}>
          <MiniSpine
            wordCount={book.wordCount}
            rating={book.rating}
            blue={blueOf(book.genres[0])}
            outlined={book.status !== "completed"}
            height={38}
          />
          <div>
            <p className={css.title}>{book.title}</p>
            <p className={css.author}>{book.author}</p>
            <p className={css.meta}>
              <span>{wordsText(book.wordCount, book.pages, book.wordCountSource === "pages")}</span>
              <ReadingDates book={book} />
              <FormatName format={book.format} />
            </p>
          </div>
          <Badges className={css.badges}>
            {book.reread && <Badge>Reread</Badge>}
            {book.genres.map((genre) => (
              <GenreBadge key={genre} genre={genre} blue={blueOf(genre)} />
            ))}
          </Badges>
          <div className={css.end}>{book.rating !== null && <Rating value={book.rating} />}</div>
        </li>
      ))}
    </ul>
  );
}

/** Items of the TBR list as they were read from the file. */
export function PreviewItems({ items }: { items: readonly PreviewItem[] }) {
  return (
    <ul className={css.list}>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a preview have no id, and their order stays
        <li className={css.row} key={i}>
          <MiniSpine wordCount={item.wordCount ?? 0} rating={null} blue={6} outlined height={38} />
          <div>
            <p className={css.title}>{item.title}</p>
            {item.author && <p className={css.author}>{item.author}</p>}
            {item.wordCount !== null && (
              <p className={css.meta}>
                <span>{wordsText(item.wordCount, null, false)}</span>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
