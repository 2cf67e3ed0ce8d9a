import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSite } from "../../access/site";
import type { Book, SeriesEntry } from "../../kit/api/types";
import { counted, longDate, whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { roughDate } from "../../kit/roughDate";
import { bluesByRank } from "../../kit/spine/rank";
import { BackLink } from "../../kit/ui/BackLink";
import { Badge, Rating } from "../../kit/ui/Badge";
import { IconButton, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { Menu, MenuItem } from "../../kit/ui/Menu";
import { Page } from "../../kit/ui/Page";
import { Panel } from "../../kit/ui/Panel";
import { Spinner } from "../../kit/ui/Waiting";
import { optionsQuery, seriesQuery } from "../books/api";
import { isFinished } from "../books/read";
import { numbered, wholeNumbers } from "../books/seriesNumber";
import { tbrQuery } from "../tbr/api";
import { seriesBooksQuery } from "./api";
import {
  authorsLine,
  authorsOf,
  beyond,
  heldLine,
  listedBySeries,
  newestOfEach,
  nextOf,
  placesOf,
  rowsOf,
  type SeriesRow,
} from "./model";
import { SeriesStage } from "./SeriesStage";
import css from "./Shelves.module.css";

const RenameSeriesDialog = lazyDialog(() => import("./SeriesDialogs").then((all) => all.RenameSeriesDialog));
const MergeSeriesDialog = lazyDialog(() => import("./SeriesDialogs").then((all) => all.MergeSeriesDialog));

/** A series: its books by number, what is missing, and what comes next. */
export function SeriesView({ name }: { name: string }) {
  const list = useQuery(seriesQuery);
  const books = useQuery(seriesBooksQuery([name]));
  const series = list.data?.find((one) => one.name === name);
  const isError = list.isError || books.isError;
  // After a change of its name a series is not on the list yet.
  const isAwaited = !series && list.isFetching;
  return (
    <Page title={name}>
      <BackLink href={paths.series()}>Series</BackLink>
      {isError && (
        <NotFetched onRetry={() => Promise.all([list.refetch(), books.refetch()])}>
          The series could not be loaded.
        </NotFetched>
      )}
      {!isError && (isAwaited || !(list.data && books.data)) && <Spinner>Fetching the series</Spinner>}
      {list.data && !series && !isAwaited && (
        <Empty
          title="No book is in this series"
          action={<LinkButton href={paths.series()}>Go to your series</LinkButton>}
        >
          It may have been renamed or merged.
        </Empty>
      )}
      {list.data && series && books.data && <Shown series={series} all={list.data} reads={books.data} />}
    </Page>
  );
}

interface ShownProps {
  series: SeriesEntry;
  all: readonly SeriesEntry[];
  reads: readonly Book[];
}

function Shown({ series, all, reads }: ShownProps) {
  const { name, missing } = series;
  const [asked, setAsked] = useState<"rename" | "merge" | null>(null);
  const { data: options } = useQuery(optionsQuery);
  const { data: list } = useQuery(tbrQuery);
  const listed = listedBySeries(list ?? [])(name);
  const rows = rowsOf(reads, missing, listed);
  const books = rows.flatMap(({ book }) => (book ? [book] : []));
  const authors = authorsOf(books);
  const [author] = authors;
  const blueOf = bluesByRank(options?.genres.map((one) => one.name) ?? []);
  const others = all.filter((one) => one.name !== name);
  const places = placesOf(series, reads, listed);
  const next = nextOf(places);
  const after = beyond(places);
  return (
    <>
      <div className="page-head">
        <div className={css.headText}>
          <h1 className="h1" dir="auto">
            {name}
          </h1>
          <p className="aside-text" dir="auto">
            {authorsLine(authors)}
          </p>
        </div>
        <div className="page-head-actions">
          <Menu align="end" trigger={<IconButton icon="dots" label={`More for ${name}`} />}>
            <MenuItem icon="edit" onSelect={() => setAsked("rename")}>
              Rename the series
            </MenuItem>
            <MenuItem icon="copy" disabled={others.length === 0} onSelect={() => setAsked("merge")}>
              Merge with another series…
            </MenuItem>
          </Menu>
        </div>
      </div>
      {places.length > 0 && (
        <div className={css.stage}>
          <SeriesStage places={places} blueOf={blueOf} size="large" />
        </div>
      )}
      <div className={css.two}>
        <Panel title="In order" beside end={<span className="hint">{heldLine(series)}</span>}>
          <ul>
            {rows.map((row) => (
              <Row key={`${row.number} ${row.book?.id}`} row={row} series={name} author={author} />
            ))}
          </ul>
        </Panel>
        <div className={css.side}>
          {next && <Next series={name} number={next.number} rows={rows} author={author} />}
          {after !== null && <Beyond series={name} number={String(after)} author={author} />}
          <Figures reads={reads} known={rows.length} />
        </div>
      </div>
      {asked === "rename" && <RenameSeriesDialog name={name} others={others} onClose={() => setAsked(null)} />}
      {asked === "merge" && <MergeSeriesDialog name={name} others={others} onClose={() => setAsked(null)} />}
    </>
  );
}

interface RowProps {
  row: SeriesRow;
  series: string;
  /** The first author of the series. */
  author: string | undefined;
}

function Row({ row: { number, book, listed }, series, author }: RowProps) {
  const looksUp = useLooksUp();
  return (
    <li className={css.row}>
      <span className={css.rowNumber}>{number === null ? "–" : numbered(number)}</span>
      <div className={css.rowBody}>
        {book ? (
          <Link href={paths.book(book.id)}>
            <bdi dir="auto">{book.title}</bdi>
          </Link>
        ) : listed ? (
          <Link href={paths.tbr()}>
            <bdi dir="auto">{listed.title}</bdi>
          </Link>
        ) : (
          <p className="muted">Not on your shelf</p>
        )}
        <p className="hint">{book ? stateOf(book) : listed ? `On your TBR, place ${listed.place}` : "Missing"}</p>
      </div>
      {book && book.rating !== null && <Rating value={book.rating} />}
      {listed && <Badge variant="dashed">TBR</Badge>}
      {!book && !listed && number !== null && (
        <LinkButton
          size="compact"
          icon={looksUp ? "search" : "plus"}
          href={paths.addBook({ series, number, author })}
          aria-label={`${looksUp ? "Look it up" : "Add it"}: #${number} of ${series}`}
        >
          {looksUp ? "Look it up" : "Add it"}
        </LinkButton>
      )}
    </li>
  );
}

/** Whether the form for a new book has a look-up. */
function useLooksUp(): boolean {
  const { lookup = [], offlineCatalogue = false } = useSite().data ?? {};
  return lookup.length > 0 || offlineCatalogue;
}

/** What became of a book: `Finished Mar 16, 2025. 56,533 words`. */
function stateOf(book: Book): string {
  const words = book.wordCount > 0 ? `. ${counted(book.wordCount, "word")}` : "";
  const { dateCompleted, completedFrom } = book;
  if (book.status === "in-progress") return `${book.pausedSince === null ? "Reading now" : "Paused"}${words}`;
  if (book.status === "did-not-finish") return `Not finished${words}`;
  if (dateCompleted === null) return `Finished, no date${words}`;
  return `Finished ${completedFrom === null ? longDate(dateCompleted) : roughDate(dateCompleted, completedFrom)}${words}`;
}

interface NextProps {
  series: string;
  number: string;
  rows: readonly SeriesRow[];
  /** The first author of the series. */
  author: string | undefined;
}

/** The next number, which is on the shelf, on the list, or missing. */
function Next({ series, number, rows, author }: NextProps) {
  const looksUp = useLooksUp();
  const { book, listed } = rows.find((row) => wholeNumbers(row.number ?? "").includes(Number(number))) ?? {};
  return (
    <Panel title="Next" beside>
      <p className={css.next}>#{number}</p>
      <div className={css.acts}>
        {book ? (
          <LinkButton variant="primary" size="compact" href={paths.book(book.id)}>
            <bdi dir="auto">{book.title}</bdi>
          </LinkButton>
        ) : listed ? (
          <LinkButton variant="primary" size="compact" href={paths.tbr()}>
            <bdi dir="auto">{listed.title}</bdi>
          </LinkButton>
        ) : (
          <>
            <LinkButton
              variant="primary"
              size="compact"
              icon={looksUp ? "search" : "plus"}
              href={paths.addBook({ series, number, author })}
            >
              {looksUp ? "Look it up" : "Add Book"}
            </LinkButton>
            <LinkButton size="compact" icon="plus" href={paths.addToTbr({ series, number, author })}>
              Add to TBR
            </LinkButton>
          </>
        )}
      </div>
    </Panel>
  );
}

/** A series that is read to its end, as far as it is known. */
function Beyond({ series, number, author }: Omit<NextProps, "rows">) {
  const looksUp = useLooksUp();
  return (
    <Panel title="Next" beside>
      <p className="muted">You’ve read all that is known.</p>
      <LinkButton
        variant="quiet"
        size="compact"
        className={css.beyond}
        href={paths.addBook({ series, number, author })}
      >
        {looksUp ? `Is there a #${number}? Look it up` : `Is there a #${number}? Add it`}
      </LinkButton>
    </Panel>
  );
}

/** How much of the series is read: books of those that are known or wanted, the words of each once, and the mean rating. */
function Figures({ reads, known }: { reads: readonly Book[]; known: number }) {
  const finished = reads.filter(isFinished);
  const read = new Set(finished.map(({ work }) => work)).size;
  const words = newestOfEach(finished).reduce((sum, { wordCount }) => sum + wordCount, 0);
  const ratings = finished.flatMap(({ rating }) => (rating === null ? [] : [rating]));
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  return (
    <Panel title="In figures" beside>
      <Leaders>
        <Leader name="Read">
          {read} of {known}
        </Leader>
        <Leader name="Words">{whole(words)}</Leader>
        {ratings.length > 0 && <Leader name="Your rating">{mean.toFixed(1)}</Leader>}
      </Leaders>
    </Panel>
  );
}
