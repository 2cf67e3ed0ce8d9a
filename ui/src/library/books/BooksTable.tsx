import { useInfiniteQuery } from "@tanstack/react-query";
import { memo, type RefObject, useEffect, useId, useRef, useState } from "react";
import { errorMessage } from "../../kit/api/client";
import { counted, today as todayIn, whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { Banner } from "../../kit/ui/Alert";
import { Button, LinkButton, TextLink } from "../../kit/ui/Button";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { MoreRows, useShownRows } from "../../kit/ui/MoreRows";
import { toast } from "../../kit/ui/toast";
import { FROM_TABLE, useMedia } from "../../kit/useMedia";
import { usePrinting } from "../../kit/usePrinting";
import css from "./BooksTable.module.css";
import { BooksTableGrid } from "./BooksTableGrid";
import { BooksTableList, SortSelect } from "./BooksTableList";
import { allBooks, booksQuery, type ListedBooks } from "./list";
import type { Sort } from "./sort";

const ChangeBooksDialog = lazyDialog(() => import("./ChangeBooksDialog").then((all) => all.ChangeBooksDialog));

interface BooksTableProps {
  /** The list that is shown. */
  list: ListedBooks;
  /** The requested order. The list shows it after it has loaded. */
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The blue of a genre. */
  blueOf: (genre: string | undefined) => Blue;
  /** The months of history that the plan shows, null for all; and the number of all books, shown or not. */
  limitedToMonths: number | null;
  total: number;
  /** Today in the reader's time zone, yyyy-MM-dd, for the name of the CSV file. */
  today?: string;
  onReset: () => void;
}

/** The books that match a filter: a table, or rows on a narrow page. It can be sorted and exported, whatever its length. */
export const BooksTable = memo(function BooksTable(props: BooksTableProps) {
  const { list, sort, onSort, blueOf, limitedToMonths, total, today, onReset } = props;
  const heading = useId();
  const head = useRef<HTMLHeadingElement>(null);
  const section = useRef<HTMLElement>(null);
  const rows = useShownRows();
  const isWide = useMedia(FROM_TABLE);
  // The button disappears with the reset; the focus goes on at the list.
  const resetHere = () => {
    onReset();
    head.current?.focus({ preventScroll: true });
  };
  const Rows = isWide ? BooksTableGrid : BooksTableList;
  return (
    <section ref={section} className="section" id="books" aria-labelledby={heading}>
      <div className={css.head}>
        <h2 className="h2" id={heading} ref={head} tabIndex={-1}>
          Books
        </h2>
        <nav className={css.shelves} aria-label="Series and tags">
          <TextLink href={paths.series()}>Series</TextLink>
          <TextLink href={paths.tags()}>Tags</TextLink>
        </nav>
        {!isWide && <SortSelect sort={sort} onSort={onSort} />}
        <div className={css.acts}>
          <ChangeButton list={list} />
          <PrintButton list={list} />
          <DownloadButton list={list} today={today ?? todayIn()} />
        </div>
      </div>
      {limitedToMonths !== null && (
        <Banner
          action={
            <LinkButton size="compact" href={paths.pricing()}>
              Upgrade
            </LinkButton>
          }
        >
          Viewing limited history (YTD or last {limitedToMonths} months). Upgrade to see all {counted(total, "book")}.
        </Banner>
      )}
      <Rows
        list={list}
        rows={rows}
        sort={sort}
        onSort={onSort}
        blueOf={blueOf}
        empty={<NoResults onReset={resetHere} />}
      />
      <More list={list} rows={rows} section={section} />
      <NotOnPaper list={list} />
    </section>
  );
});

function NoResults({ onReset }: { onReset: () => void }) {
  return (
    <div className={css.empty}>
      <h3 className="h2">No results found</h3>
      <p>Try adjusting your filters to see more results.</p>
      <Button onClick={onReset}>Reset Filters</Button>
    </div>
  );
}

function More({ list, rows, section }: { list: ListedBooks; rows: number; section: RefObject<HTMLElement | null> }) {
  const { data } = useInfiniteQuery(booksQuery(list));
  return <MoreRows list={section} shown={rows} total={data?.pages[0]?.matching ?? 0} />;
}

/** Changes all books of a filter; without a filter there is no such button. */
function ChangeButton({ list }: { list: ListedBooks }) {
  const { data } = useInfiniteQuery(booksQuery(list));
  const [isOpen, setOpen] = useState(false);
  const matching = data?.pages[0]?.matching ?? 0;
  if (Object.keys(list.query).length === 0 || matching === 0) return null;
  return (
    <>
      <Button size="compact" icon="tag" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Change books
      </Button>
      {isOpen && <ChangeBooksDialog query={list.query} matching={matching} onClose={() => setOpen(false)} />}
    </>
  );
}

/** On paper: the number of books that were not fetched, because the browser's menu prints a page as it is. */
function NotOnPaper({ list }: { list: ListedBooks }) {
  const { data } = useInfiniteQuery(booksQuery(list));
  const isPrinting = usePrinting();
  const fetched = data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
  const matching = data?.pages[0]?.matching ?? 0;
  if (!isPrinting || fetched >= matching) return null;
  return (
    <p className={css.notOnPaper}>
      These are the first {whole(fetched)} of {counted(matching, "book")}. The button “Print” above the table prints all
      of them.
    </p>
  );
}

/** Prints the page with all matching books, as the keys Ctrl+P do. The browser's menu prints the books that were fetched. */
function PrintButton({ list }: { list: ListedBooks }) {
  const { hasNextPage, fetchNextPage } = useInfiniteQuery(booksQuery(list));
  const [isBusy, setBusy] = useState(false);
  const print = async () => {
    setBusy(true);
    let more = hasNextPage;
    while (more) {
      const answer = await fetchNextPage();
      more = answer.hasNextPage && !answer.isError;
    }
    setBusy(false);
    // After the button has its label back, and the rows are in the page.
    requestAnimationFrame(() => window.print());
  };
  const latest = useRef(print);
  useEffect(() => {
    latest.current = print;
  });
  useEffect(() => {
    if (!hasNextPage) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [hasNextPage]);
  return (
    <Button size="compact" busy={isBusy && "Fetching..."} onClick={print}>
      Print
    </Button>
  );
}

interface DownloadButtonProps {
  list: ListedBooks;
  today: string;
}

/** Makes a CSV file of all matching books, including those that are not shown. */
function DownloadButton({ list, today }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    try {
      const { booksCsv, csvName, download } = await import("./csv");
      const books = await allBooks(list);
      if (books.length === 0) {
        toast({ title: "No data", description: "You don't have any books to export" });
        return;
      }
      download(csvName(today), booksCsv(books));
      toast({ title: "Your data has been exported" });
    } catch (error) {
      toast({ title: "Export failed", description: errorMessage(error, "Please try again."), destructive: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="compact" icon="download" busy={isBusy && "Exporting..."} onClick={onClick}>
      Download CSV
    </Button>
  );
}
