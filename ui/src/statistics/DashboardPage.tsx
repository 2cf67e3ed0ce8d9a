import { useInfiniteQuery, usePrefetchInfiniteQuery, usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { usePreferences } from "../access/preferences";
import type { ShelfBook, Stats, Tally } from "../kit/api/types";
import { counted, today as todayIn } from "../kit/format";
import { paths } from "../kit/paths";
import { bluesByRank } from "../kit/spine/blue";
import { LinkButton } from "../kit/ui/Button";
import { Page } from "../kit/ui/Page";
import { Spinner } from "../kit/ui/Waiting";
import { optionsQuery } from "../library/books/api";
import { BooksTable } from "../library/books/BooksTable";
import { booksQuery } from "../library/books/list";
import { NEWEST_FIRST } from "../library/books/sort";
import { statsQuery } from "./api";
import { Figures } from "./charts/Figures";
import css from "./Dashboard.module.css";
import { DashboardLoading } from "./DashboardLoading";
import { FilterSection } from "./filters/FilterSection";
import { type Filter, toQuery } from "./filters/filter";
import { type Filtering, useFilter } from "./filters/useFilter";
import { Kpis } from "./Kpis";
import { byFormat, byGenre } from "./shelf/colours";
import { FilteredShelf } from "./shelf/Shelf";

// Seen by few.
const DashboardError = lazy(() => import("./DashboardError").then((module) => ({ default: module.DashboardError })));
// Seen once, by those who have nothing yet.
const FirstRun = lazy(() => import("./FirstRun").then((module) => ({ default: module.FirstRun })));

const editHref = (book: ShelfBook) => paths.editBook(book.id);

/** The reader's library in figures, on a shelf, in charts and as a table; one filter governs them all. */
export default function DashboardPage() {
  const filtering = useFilter();
  // The field follows every key; what is fetched and drawn for it may come a moment later.
  const asked = useDeferredValue(filtering.filter);
  // All that the page will show is asked for at once, though most is drawn only when it is known that there is a library.
  usePrefetchQuery(statsQuery(asked));
  usePrefetchInfiniteQuery(booksQuery(toQuery(asked), NEWEST_FIRST));
  usePrefetchQuery(optionsQuery);
  const { data, error, refetch } = useQuery(statsQuery(asked));
  // Drawn in slices between which the page answers: 500 spines and four charts in one go would hold it up.
  const stats = useDeferredValue(data);
  return (
    <Page title="Dashboard">
      {!data && error ? (
        <Suspense>
          <DashboardError onRetry={refetch} />
        </Suspense>
      ) : (
        <>
          <DashboardHead books={stats?.library.total ?? null} />
          {!stats && <DashboardLoading />}
          {stats?.library.total === 0 && (
            <Suspense fallback={<DashboardLoading />}>
              <FirstRun figures={stats.kpis} />
            </Suspense>
          )}
          {stats && stats.library.total > 0 && <Library stats={stats} asked={asked} filtering={filtering} />}
        </>
      )}
    </Page>
  );
}

function DashboardHead({ books }: { books: number | null }) {
  return (
    <div className="page-head">
      <div>
        <h1 className="h1">Dashboard</h1>
        {books === null ? (
          <div className={css.fetching}>
            <Spinner>Fetching your books</Spinner>
          </div>
        ) : (
          <p className="aside-text">{counted(books, "book")} tracked</p>
        )}
      </div>
      {books !== null && books > 0 && (
        <div className="page-head-actions">
          <LinkButton variant="primary" icon="plus" href={paths.addBook()}>
            Add Book
          </LinkButton>
        </div>
      )}
    </div>
  );
}

interface LibraryProps {
  stats: Stats;
  /** The filter that the numbers belong to, or soon will. */
  asked: Filter;
  filtering: Filtering;
}

function Library({ stats, asked, filtering }: LibraryProps) {
  const { reset } = filtering;
  const query = useMemo(() => toQuery(asked), [asked]);
  const { data: books } = useInfiniteQuery(booksQuery(query, NEWEST_FIRST));
  const { data: options } = useQuery(optionsQuery);
  const { data: preferences } = usePreferences();
  const genres = options?.genres ?? NO_GENRES;
  const blueOf = useMemo(() => bluesByRank(genres.map(({ name }) => name)), [genres]);
  const colours = useMemo(() => [byGenre(genres), byFormat] as const, [genres]);
  const today = todayIn(preferences?.timezone);
  const matching = books?.pages[0]?.matching ?? null;
  const { library, kpis, shelf } = stats;
  return (
    <>
      <FilterSection
        filtering={filtering}
        options={options}
        today={today}
        matching={matching}
        visible={library.visible}
      />
      <Kpis figures={kpis} today={today} />
      <FilteredShelf shelf={shelf} colours={colours} hrefOf={editHref} addHref={paths.addBook()} />
      <Figures stats={stats} blueOf={blueOf} usualMeasure={preferences?.defaultStatsView ?? "words"} />
      <BooksTable
        query={query}
        blueOf={blueOf}
        limitedToMonths={library.limitedToMonths}
        total={library.total}
        today={today}
        onReset={reset}
      />
    </>
  );
}

const NO_GENRES: readonly Tally[] = [];
