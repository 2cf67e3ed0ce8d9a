import { memo, type Ref } from "react";
import type { Book } from "../../kit/api/types";
import { whole } from "../../kit/format";
import type { Blue } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Badge, Badges, GenreBadge, Rating } from "../../kit/ui/Badge";
import { Skeleton } from "../../kit/ui/Waiting";
import css from "./BooksTable.module.css";
import type { BooksTableRowsProps } from "./BooksTableGrid";
import { EditLink, FormatName, LoadingFailed, ReadingDates } from "./BooksTableParts";
import { useBookRows } from "./useBookRows";

/** Height in px of a row of a book with one line of badges. */
const ROW = 131;

/** The books as rows of text, for where a table has no room. */
export function BooksTableList({ query, sort, blueOf, empty }: BooksTableRowsProps) {
  const { books, matching, error, refetch, frame, rows, measure, above, below } = useBookRows(query, sort, ROW);
  if (matching === 0) return <div ref={frame}>{empty}</div>;
  return (
    <div ref={frame} aria-busy={matching === null || undefined}>
      {error && <LoadingFailed onRetry={refetch} />}
      <ul className={css.list} style={{ paddingTop: above, paddingBottom: below }}>
        {rows.map(({ index, key }) => (
          <BookRow key={key} index={index} count={matching ?? 0} book={books[index]} blueOf={blueOf} ref={measure} />
        ))}
      </ul>
    </div>
  );
}

/** Ten rows of skeletons, while nothing is known. */
export function BooksListLoading() {
  return (
    <ul className={css.list}>
      {Array.from({ length: 10 }, (_, i) => i).map((i) => (
        <li key={i} className={css.row}>
          <span />
          <SkeletonRow />
        </li>
      ))}
    </ul>
  );
}

function SkeletonRow() {
  return (
    <div className={css.rowSkeleton}>
      <Skeleton width={62} />
      <Skeleton width={45} />
    </div>
  );
}

interface BookRowProps {
  index: number;
  count: number;
  /** Not there yet while its page is being fetched. */
  book: Book | undefined;
  blueOf: (genre: string | undefined) => Blue;
  ref: Ref<HTMLLIElement>;
}

const BookRow = memo(function BookRow({ index, count, book, blueOf, ref }: BookRowProps) {
  return (
    <li ref={ref} className={css.row} data-index={index} aria-setsize={count} aria-posinset={index + 1}>
      {book ? (
        <Filled book={book} blueOf={blueOf} />
      ) : (
        <>
          <span />
          <SkeletonRow />
        </>
      )}
    </li>
  );
});

function Filled({ book, blueOf }: { book: Book; blueOf: (genre: string | undefined) => Blue }) {
  return (
    <>
      <div className={css.rowSpine}>
        <MiniSpine
          wordCount={book.wordCount}
          rating={book.rating}
          blue={blueOf(book.genres[0])}
          outlined={book.status !== "completed"}
          height={38}
        />
      </div>
      <div>
        <p className={css.rowTitle}>{book.title}</p>
        <p className={css.rowAuthor}>{book.author}</p>
        <p className={css.rowMeta}>
          <span>{whole(book.wordCount)} words</span>
          <ReadingDates book={book} />
          <FormatName format={book.format} />
        </p>
      </div>
      <Badges className={css.rowBadges}>
        {book.reread && (
          <Badge>
            <span className={css.ribbon} aria-hidden="true" />
            Reread
          </Badge>
        )}
        {book.genres.map((genre) => (
          <GenreBadge key={genre} genre={genre} blue={blueOf(genre)} />
        ))}
      </Badges>
      <div className={css.rowEnd}>
        {book.rating === null ? <span /> : <Rating value={book.rating} />}
        <EditLink book={book} />
      </div>
    </>
  );
}
