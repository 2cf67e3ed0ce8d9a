import { memo, type ReactNode, type RefCallback } from "react";
import type { Book } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Badges, GenreBadge, Rating, RereadBadge } from "../../kit/ui/Badge";
import { NotFetched } from "../../kit/ui/Fetched";
import { FormatName } from "../../kit/ui/FormatIcon";
import { Icon } from "../../kit/ui/Icon";
import { Link } from "../../kit/ui/Link";
import { Skeleton } from "../../kit/ui/Waiting";
import css from "./BooksTable.module.css";
import { EditLink, ReadingDates } from "./BooksTableParts";
import type { ListedBooks } from "./list";
import { isUnfinished } from "./StatusBadge";
import { ariaSort, type Sort, type SortColumn, sortedBy } from "./sort";
import { useBookRows } from "./useBookRows";

export interface BooksTableRowsProps {
  list: ListedBooks;
  /** How many rows are shown. */
  rows: number;
  /** The requested order. The list shows it after it has loaded. */
  sort: Sort;
  onSort: (sort: Sort) => void;
  blueOf: (genre: string | undefined) => Blue;
  /** Shown instead of the rows when there are none. */
  empty: ReactNode;
}

interface Column {
  label: string;
  /** The class that sets the width. */
  width: string | undefined;
  sort?: SortColumn;
}

const COLUMNS: readonly Column[] = [
  { label: "Title", width: css.title, sort: "title" },
  { label: "Author", width: css.author, sort: "author" },
  { label: "Words", width: css.words, sort: "wordCount" },
  { label: "Date", width: css.date, sort: "dateCompleted" },
  { label: "Rating", width: css.rating, sort: "rating" },
  { label: "Format", width: css.format },
  { label: "Reread", width: css.reread },
  { label: "Genres", width: css.genres },
  { label: "Actions", width: css.actions },
];

/** Height in px of a row whose title fits on one line. */
const ROW = 52;

/** The books as a table with sortable headers. Only the rows in view are in the page; their row numbers count all rows. */
export function BooksTableGrid({ list, rows, sort, onSort, blueOf, empty }: BooksTableRowsProps) {
  const { books, matching, error, refetch, ...inWindow } = useBookRows<HTMLTableSectionElement>(list, rows, ROW);
  if (matching === 0) return empty;
  return (
    <div className={css.rows}>
      {error && <NotFetched onRetry={refetch}>The books could not be loaded.</NotFetched>}
      <table className={css.table} aria-rowcount={(matching ?? 0) + 1} aria-busy={matching === null || undefined}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <Header key={column.label} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={inWindow.list}>
          {inWindow.above > 0 && <Gap height={inWindow.above} />}
          {inWindow.rows.map(({ index }) => (
            <BookRow key={index} index={index} measure={inWindow.measure} book={books[index]} blueOf={blueOf} />
          ))}
          {inWindow.below > 0 && <Gap height={inWindow.below} />}
        </tbody>
      </table>
    </div>
  );
}

/** The header row above ten skeleton rows, shown while the list is loading. */
export function BooksTableLoading() {
  return (
    <div className={css.rows}>
      <table className={css.table}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column.label} scope="col" className={column.width}>
                {column.label === "Actions" ? <span className="vh">Actions</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 10 }, (_, i) => i).map((i) => (
            <tr key={i}>
              <SkeletonCells first={62 + (i % 3) * 14} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SkeletonCells({ first = 62 }: { first?: number }) {
  return COLUMNS.map(({ label }, i) => (
    <td key={label}>{label !== "Actions" && <Skeleton width={i === 0 ? first : 60} />}</td>
  ));
}

function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row holds nothing that could have the focus
    <tr aria-hidden="true" className={css.gap}>
      <td colSpan={COLUMNS.length} style={{ height }} />
    </tr>
  );
}

interface HeaderProps extends Pick<BooksTableRowsProps, "sort" | "onSort"> {
  column: Column;
}

const Header = memo(function Header({ column, sort, onSort }: HeaderProps) {
  const { label, width, sort: by } = column;
  if (!by) {
    return (
      <th scope="col" className={width}>
        {label === "Actions" ? <span className="vh">Actions</span> : label}
      </th>
    );
  }
  return (
    <th scope="col" className={width} aria-sort={ariaSort(sort, by)}>
      <button type="button" className={css.sorter} onClick={() => onSort(sortedBy(sort, by))}>
        {label}
        <Icon name="down" />
      </button>
    </th>
  );
});

interface BookRowProps {
  index: number;
  measure: RefCallback<HTMLElement>;
  /** Undefined while its page is loading. */
  book: Book | undefined;
  blueOf: (genre: string | undefined) => Blue;
}

const BookRow = memo(function BookRow({ index, measure, book, blueOf }: BookRowProps) {
  return (
    // The header is row 1.
    <tr ref={measure} data-index={index} data-waiting={book ? undefined : ""} aria-rowindex={index + 2}>
      {book ? <BookCells book={book} blueOf={blueOf} /> : <SkeletonCells />}
    </tr>
  );
});

function BookCells({ book, blueOf }: { book: Book; blueOf: (genre: string | undefined) => Blue }) {
  return (
    <>
      <td>
        <div className={css.book}>
          <MiniSpine
            wordCount={book.wordCount}
            rating={book.rating}
            blue={blueOf(book.genres[0])}
            outlined={isUnfinished(book)}
          />
          <Link className={css.bookTitle} href={paths.book(book.id)} dir="auto">
            {book.title}
          </Link>
        </div>
      </td>
      <td dir="auto">{book.author}</td>
      <td className={css.words}>{whole(book.wordCount)}</td>
      <td>
        <ReadingDates book={book} />
      </td>
      <td>
        <Rating value={book.rating} />
      </td>
      <td>
        <FormatName format={book.format} />
      </td>
      <td>
        <RereadBadge reread={book.reread} />
      </td>
      <td>
        <Badges>
          {book.genres.map((genre) => (
            <GenreBadge key={genre} genre={genre} blue={blueOf(genre)} />
          ))}
        </Badges>
      </td>
      <td>
        <EditLink book={book} compact />
      </td>
    </>
  );
}
