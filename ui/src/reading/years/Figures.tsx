import { useMemo } from "react";
import type { Review, ShelfBook } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { horizontalBarsHeight } from "../../kit/charts/height";
import { HorizontalBars } from "../../kit/charts/LazyCharts";
import { counted, duration, monthDay, shortened, whole } from "../../kit/format";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Rating } from "../../kit/ui/Badge";
import { type Kpi, KpiStrip } from "../../kit/ui/KpiStrip";
import { FormatsFigure } from "../../statistics/charts/FormatsFigure";
import { Drawing } from "../../statistics/charts/figure";
import { Compare } from "./Compare";
import { Missing } from "./Missing";
import { MonthsFigure } from "./MonthsFigure";
import { differenceSentences, isMonth, isRunning } from "./model";
import { RatingsFigure } from "./RatingsFigure";
import { type BlueOf, BookLink } from "./Rows";
import css from "./Years.module.css";

interface FiguresProps {
  review: Review;
  today: string;
  blueOf: BlueOf;
  /** The review of the period before; absent while it is fetched and where the plan hides a part of it. */
  before: Review | undefined;
}

/** The figures of a period with three books or more. */
export function Figures({ review, today, blueOf, before }: FiguresProps) {
  const { period, authors, genres, formats, newAuthors, best } = review;
  const hasRatings = review.ratings.length > 0;
  const differences = isMonth(period) ? differenceSentences(review) : [];
  return (
    <>
      <KpiStrip kpis={kpisOf(review, today)} columns={6} className={css.kpis} />
      {differences.length > 0 && <p className={css.difference}>{differences.join(" ")}</p>}
      <div className={css.two}>
        {!isMonth(period) && <MonthsFigure review={review} before={before} today={today} />}
        {hasRatings && !isMonth(period) && <RatingsFigure review={review} className={css.four} />}
        <Marks review={review} blueOf={blueOf} />
        {best.length > 0 && <Best books={best} blueOf={blueOf} />}
        <Top title="Authors by words" head="Author" rows={authors} />
        {genres.length > 0 && <Top title="Genres by words" head="Genre" rows={genres} />}
        {formats.length > 1 && <FormatsFigure formats={formats} className={css.six} />}
        {hasRatings && isMonth(period) && <RatingsFigure review={review} className={css.six} />}
        {review.before.books > 0 && before && <Compare review={review} before={before} today={today} />}
        {newAuthors.length > 0 && <NewAuthors names={newAuthors} />}
        <Missing review={review} />
      </div>
    </>
  );
}

function wordsNote({ words, minutes }: Review["totals"]): string {
  return [whole(words), minutes > 0 && `${duration(minutes)} of audio`].filter(Boolean).join(", ");
}

function kpisOf({ period, totals, ratings, averageRating, streak }: Review, today: string): Kpi[] {
  const rated = ratings.reduce((sum, { books }) => sum + books, 0);
  const plain = (value: string): Kpi["value"] => ({ value, unit: "" });
  const unit = streak?.unit === "weeks" ? "week" : "day";
  const inARow =
    isRunning(period, today) && streak && streak.current > 1 && `${counted(streak.current, unit)} in a row`;
  return [
    { label: "Books", value: plain(whole(totals.books)), note: counted(totals.titles, "title") },
    { label: "Words", value: shortened(totals.words), note: wordsNote(totals) },
    {
      label: "Days read",
      value: plain(totals.daysRead === 0 ? "-" : whole(totals.daysRead)),
      note: totals.daysRead === 0 ? "nothing was noted by day" : inARow || "with a note",
    },
    {
      label: "Avg Rating",
      value: plain(averageRating === null ? "-" : averageRating.toFixed(1)),
      note: rated === 0 ? "none rated" : `out of 10, ${whole(rated)} rated`,
    },
    { label: "Rereads", value: plain(whole(totals.rereads)), note: totals.rereads === 0 ? "none" : "of these" },
    {
      label: "Not finished",
      value: plain(whole(totals.notFinished)),
      note: totals.notFinished === 0 ? "none" : "counted in nothing else",
    },
  ];
}

/** Longest, shortest, fastest, first and latest. */
function Marks({
  review: { longest, shortest, fastest, first, last },
  blueOf,
}: Pick<FiguresProps, "review" | "blueOf">) {
  const words = (book: ShelfBook) => counted(book.wordCount, "word");
  const rows: [string, ShelfBook | null, string][] = [
    ["Longest", longest, longest ? words(longest) : ""],
    ["Shortest", shortest, shortest ? words(shortest) : ""],
    ["Fastest", fastest, fastest ? `${whole(fastest.wordsPerDay)} words a day` : ""],
    ["First", first, first?.date ? monthDay(first.date) : ""],
    ["Latest", last, last?.date ? monthDay(last.date) : ""],
  ];
  const known = rows.filter(([, book]) => book !== null);
  if (known.length === 0) return null;
  return (
    <section className={css.seven} aria-labelledby="marks">
      <h2 className="h2" id="marks">
        {fastest ? "Longest, shortest, fastest" : longest ? "Longest and shortest" : "First and latest"}
      </h2>
      <dl className={css.marks}>
        {known.map(
          ([label, book, value]) =>
            book && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <MiniSpine
                    wordCount={book.wordCount}
                    rating={book.rating}
                    blue={blueOf(book.genres[0])}
                    height={40}
                  />
                </dd>
                <dd className={css.title}>
                  <BookLink book={book} />
                  <span className={css.author} dir="auto">
                    {book.author}
                  </span>
                </dd>
                <dd className={css.value}>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

/** The number of books that stand under "The best". */
const MOST_BEST = 7;

function Best({ books, blueOf }: { books: readonly ShelfBook[]; blueOf: BlueOf }) {
  return (
    <section className={css.five} aria-labelledby="best">
      <h2 className="h2" id="best">
        The best
      </h2>
      <ol className={css.best}>
        {books.slice(0, MOST_BEST).map((book) => (
          <li key={book.id}>
            <MiniSpine wordCount={book.wordCount} rating={book.rating} blue={blueOf(book.genres[0])} height={34} />
            <p className={css.title}>
              <BookLink book={book} />{" "}
              <span className={css.author} dir="auto">
                {book.author}
              </span>
            </p>
            <Rating value={book.rating} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The number of bars of a ranking. */
const MOST_BARS = 6;

function Top({ title, head, rows }: { title: string; head: string; rows: Review["authors"] }) {
  const shown = useMemo(() => rows.filter(({ words }) => words > 0).slice(0, MOST_BARS), [rows]);
  if (shown.length === 0) return null;
  return (
    <ChartFrame
      title={title}
      className={css.six}
      state="ready"
      table={{
        caption: title,
        head: [head, "Words", "Books"],
        rows: shown.map(({ name, words, books }) => [name, whole(words), whole(books)]),
      }}
    >
      <Drawing heightAt={(width) => horizontalBarsHeight(width, shown.length)}>
        <HorizontalBars points={shown} />
      </Drawing>
    </ChartFrame>
  );
}

function NewAuthors({ names }: { names: readonly string[] }) {
  return (
    <section className={css.six} aria-labelledby="new-authors">
      <h2 className="h2" id="new-authors">
        {counted(names.length, "new author")}
      </h2>
      <ul className={css.newAuthors}>
        {names.map((name) => (
          <li key={name} dir="auto">
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
