import { memo, type RefCallback } from "react";
import type { Book } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { Badge, GenreBadge, Rating } from "../../kit/ui/Badge";
import { NotFetched } from "../../kit/ui/Fetched";
import { Select } from "../../kit/ui/Field";
import { FormatName } from "../../kit/ui/FormatIcon";
import { BookRow, BookRows } from "./BookRow";
import { SkeletonRow } from "./BooksListLoading";
import css from "./BooksTable.module.css";
import type { BooksTableRowsProps } from "./BooksTableGrid";
import { EditLink, ReadingDates } from "./BooksTableParts";
import { isUnfinished } from "./StatusBadge";
import { NEWEST_FIRST, SORTS, type Sort } from "./sort";
import { useBookRows } from "./useBookRows";

/** Height in px of a book's row with one line of badges. */
const ROW = 131;

/** The books as rows of text, for pages without room for a table. */
export function BooksTableList({ list, rows, blueOf, empty }: BooksTableRowsProps) {
  const { books, matching, error, refetch, ...inWindow } = useBookRows<HTMLUListElement>(list, rows, ROW);
  if (matching === 0) return empty;
  return (
    <div className={css.rows} aria-busy={matching === null || undefined}>
      {error && <NotFetched onRetry={refetch}>The books could not be loaded.</NotFetched>}
      <BookRows ref={inWindow.list}>
        {inWindow.above > 0 && <Gap height={inWindow.above} />}
        {inWindow.rows.map(({ index }) => (
          <Row
            key={index}
            index={index}
            measure={inWindow.measure}
            count={matching ?? 0}
            book={books[index]}
            blueOf={blueOf}
          />
        ))}
        {inWindow.below > 0 && <Gap height={inWindow.below} />}
      </BookRows>
    </div>
  );
}

function Gap({ height }: { height: number }) {
  return <li aria-hidden="true" style={{ height }} />;
}

interface RowProps {
  index: number;
  measure: RefCallback<HTMLElement>;
  count: number;
  /** Undefined while its page is loading. */
  book: Book | undefined;
  blueOf: (genre: string | undefined) => Blue;
}

const Row = memo(function Row({ index, measure, count, book, blueOf }: RowProps) {
  const place = { ref: measure, "data-index": index, "aria-setsize": count, "aria-posinset": index + 1 };
  if (!book) return <SkeletonRow {...place} />;
  return (
    <BookRow
      {...place}
      book={book}
      href={paths.book(book.id)}
      blue={blueOf(book.genres[0])}
      outlined={isUnfinished(book)}
      facts={
        <>
          <span>{counted(book.wordCount, "word")}</span>
          <ReadingDates book={book} />
          <FormatName format={book.format} />
        </>
      }
      badges={
        <>
          {book.reread && (
            <Badge>
              <span className={css.ribbon} aria-hidden="true" />
              Reread
            </Badge>
          )}
          {book.genres.map((genre) => (
            <GenreBadge key={genre} genre={genre} blue={blueOf(genre)} />
          ))}
        </>
      }
    >
      {book.rating === null ? <span /> : <Rating value={book.rating} />}
      <EditLink book={book} />
    </BookRow>
  );
});

const nameOf = (sort: Sort) => `${sort.column} ${sort.order}`;

/** Replaces the table's sortable headers. */
export function SortSelect({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <Select
      className={css.sort}
      aria-label="Sort by"
      value={nameOf(sort)}
      options={SORTS.map((one) => ({ value: nameOf(one.sort), label: one.label }))}
      onChoose={(chosen) => onSort(SORTS.find((one) => nameOf(one.sort) === chosen)?.sort ?? NEWEST_FIRST)}
    />
  );
}
