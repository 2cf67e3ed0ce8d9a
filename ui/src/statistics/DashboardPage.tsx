import { useInfiniteQuery, usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { memo, useMemo } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { usePreferences } from "../access/preferences";
import { useToday } from "../access/today";
import type { OpenBook, ShelfBook, Stats, Tally } from "../kit/api/types";
import { BASE } from "../kit/base";
import { counted } from "../kit/format";
import { paths } from "../kit/paths";
import { bluesByRank } from "../kit/spine/rank";
import { LinkButton, TextLink } from "../kit/ui/Button";
import { FoldedSection } from "../kit/ui/FoldedSection";
import { lazyPart } from "../kit/ui/lazyPart";
import { Page } from "../kit/ui/Page";
import { Spinner } from "../kit/ui/Waiting";
import { optionsQuery } from "../library/books/api";
import { BooksTable } from "../library/books/BooksTable";
import { booksQuery } from "../library/books/list";
import { NEWEST_FIRST, type Sort } from "../library/books/sort";
import { readingDaysQuery } from "../library/books/workQueries";
import { useLazyOutbox } from "../library/outbox/useLazyOutbox";
import { ReadingNow } from "../library/reading/ReadingNow";
import { statsQuery } from "./api";
import { Figures } from "./charts/Figures";
import css from "./Dashboard.module.css";
import { DashboardError, SearchFailed } from "./DashboardError";
import { DashboardLoading } from "./DashboardLoading";
import { FirstRun } from "./FirstRun";
import { FilterSection } from "./filters/FilterSection";
import { isAnswered, toQuery } from "./filters/filter";
import { type Filtering, useFilter } from "./filters/useFilter";
import { byFormat, byGenre } from "./shelf/colours";
import { FilteredShelf } from "./shelf/Shelf";
import { type Answered, useAnswered } from "./useAnswered";
import { viewsQuery } from "./views/api";
import { ViewMenu } from "./views/ViewMenu";
import { YearKpis } from "./YearKpis";

const MoreCharts = lazyPart(() => import("./charts/more/MoreCharts").then((all) => all.MoreCharts));
const Answers = lazyPart(() => import("./filters/Answers").then((all) => all.Answers));

/** The order is kept with the entry of the browser's history, as the place is: the way back from a book leads to both. */
const changeSort = (sort: Sort) => window.history.replaceState({ ...window.history.state, sort }, "");

const bookHref = (book: ShelfBook) => paths.book(book.id);

/** The reader's library in figures, on a shelf, in charts and as a table; one filter applies to all of them. */
export default function DashboardPage() {
  const filtering = useFilter();
  const kept = useHistoryState<{ sort?: Sort } | null>();
  const { column, order } = kept?.sort ?? NEWEST_FIRST;
  const sort = useMemo(() => ({ column, order }), [column, order]);
  const answered = useAnswered(filtering.filter, sort);
  const { shown } = answered;
  // Requested with the other queries, although it is drawn only when the library is known to have books.
  usePrefetchQuery(optionsQuery);
  const { data: figures, error, refetch } = useQuery(statsQuery(shown.filter));
  // The strip is above the figures: drawing it later would move them. A failure only leaves it out.
  const { data: reading, isPending, failureCount } = useQuery(readingDaysQuery);
  // Likewise the menu of views beside the filter bar.
  const views = useQuery(viewsQuery);
  const isWaiting = (isPending && failureCount === 0) || (views.isPending && views.failureCount === 0);
  const stats = isWaiting ? undefined : figures;
  return (
    <Page title="Dashboard">
      {!stats && error ? (
        <DashboardError onRetry={refetch} />
      ) : (
        <>
          <DashboardHead books={stats?.library.total ?? null} />
          {!stats && <DashboardLoading />}
          {stats?.library.total === 0 && <FirstRun figures={stats.kpis} />}
          {stats && stats.library.total > 0 && (
            <Library
              stats={stats}
              open={reading?.open ?? NONE_OPEN}
              answered={answered}
              filtering={filtering}
              sort={sort}
            />
          )}
        </>
      )}
    </Page>
  );
}

interface DashboardHeadProps {
  /** The books of the library; null while they are fetched. */
  books: number | null;
}

const DashboardHead = memo(function DashboardHead({ books }: DashboardHeadProps) {
  const year = useToday().slice(0, 4);
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
        <div className={`page-head-actions ${css.headLinks}`}>
          <TextLink icon="right" href={paths.review(year)}>
            Your {year} so far
          </TextLink>
          <LinkButton variant="primary" icon="plus" href={paths.addBook()}>
            Add Book
          </LinkButton>
        </div>
      )}
    </div>
  );
});

interface LibraryProps {
  stats: Stats;
  /** The open books, the one noted last first. */
  open: readonly OpenBook[];
  /** The filter and order that the shown numbers belong to, and whether the requested ones failed. */
  answered: Answered;
  /** The requested filter and order. */
  filtering: Filtering;
  sort: Sort;
}

function Library({ stats, open, answered, filtering, sort }: LibraryProps) {
  const { filter, change, reset } = filtering;
  const { shown } = answered;
  const list = useMemo(() => ({ query: toQuery(shown.filter), sort: shown.sort }), [shown]);
  const { data: books } = useInfiniteQuery(booksQuery(list));
  const { data: options } = useQuery(optionsQuery);
  const { data: preferences } = usePreferences();
  const genres = options?.genres ?? NO_NAMES;
  const blueOf = useMemo(() => bluesByRank(genres.map(({ name }) => name)), [genres]);
  const colours = useMemo(() => [byGenre(genres), byFormat] as const, [genres]);
  const today = useToday();
  const findAuthor = (name: string) => change({ titleSearch: "", authors: [name] });
  const matching = books?.pages[0]?.matching ?? null;
  const { library, kpis, shelf } = stats;
  const kept = useLazyOutbox();
  const { queue, withQueued } = kept ?? {};
  const reading = useMemo(() => {
    const known = queue && withQueued ? withQueued(open, [...queue.delivered, ...queue.pending]) : open;
    return known.map(({ book }) => book).filter(({ pausedSince }) => pausedSince === null);
  }, [open, queue, withQueued]);
  return (
    <>
      {kept && (
        <div className={css.kept}>
          <kept.Outbox today={today} />
        </div>
      )}
      <ReadingNow books={reading} today={today} blueOf={blueOf} />
      <FilterSection
        filtering={filtering}
        shown={shown.filter}
        options={options}
        today={today}
        matching={matching}
        visible={library.visible}
        views={<ViewMenu filter={filter} />}
      >
        {isAnswered(filter.titleSearch) && (
          <Answers
            search={filter.titleSearch}
            authors={options?.authors ?? NO_NAMES}
            matching={matching}
            onAuthor={findAuthor}
          />
        )}
      </FilterSection>
      {answered.failed && <SearchFailed shown={shown.filter} onRetry={answered.retry} />}
      <YearKpis stats={stats} today={today} filter={shown.filter} />
      <FilteredShelf
        shelf={shelf}
        totalWords={kpis.totalWords}
        colours={colours}
        hrefOf={bookHref}
        query={list.query}
        addHref={paths.addBook()}
      />
      <Figures stats={stats} blueOf={blueOf} usualMeasure={preferences?.defaultStatsView ?? "words"} />
      <FoldedSection
        title="More charts"
        holds="Pace, length, published, languages, ratings, outcomes"
        rememberedAs={`shelfwise-more-charts${BASE}`}
      >
        <MoreCharts query={list.query} />
      </FoldedSection>
      <BooksTable
        list={list}
        sort={sort}
        onSort={changeSort}
        blueOf={blueOf}
        limitedToMonths={library.limitedToMonths}
        total={library.total}
        today={today}
        onReset={reset}
      />
    </>
  );
}

const NO_NAMES: readonly Tally[] = [];
const NONE_OPEN: readonly OpenBook[] = [];
