import { useMemo } from "react";
import type { Review, ShelfBook } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { horizontalBarsHeight } from "../../kit/charts/height";
import { HorizontalBars } from "../../kit/charts/LazyCharts";
import { counted, whole } from "../../kit/format";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Rating } from "../../kit/ui/Badge";
import { Drawing } from "../../statistics/charts/figure";
import { MonthsFigure } from "./MonthsFigure";
import { MoreAbout } from "./MoreAbout";
import { differenceSentences, isMonth } from "./model";
import { PeriodKpis } from "./PeriodKpis";
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
  const { period, authors, genres, best } = review;
  const hasRatings = review.ratings.length > 0;
  const differences = isMonth(period) ? differenceSentences(review) : [];
  return (
    <>
      <PeriodKpis review={review} before={before} today={today} />
      {differences.length > 0 && <p className={css.difference}>{differences.join(" ")}</p>}
      <div className={css.two}>
        {!isMonth(period) && <MonthsFigure review={review} before={before} today={today} />}
        {hasRatings && <RatingsFigure review={review} className={isMonth(period) ? css.six : css.four} />}
        {best.length > 0 && <Best books={best} blueOf={blueOf} />}
        <Marks review={review} blueOf={blueOf} />
        <Top title="Authors by words" head="Author" rows={authors} />
        {genres.length > 0 && <Top title="Genres by words" head="Genre" rows={genres} />}
      </div>
      <MoreAbout review={review} />
    </>
  );
}

/** The longest, the shortest and the fastest book. */
function Marks({ review: { longest, shortest, fastest }, blueOf }: Pick<FiguresProps, "review" | "blueOf">) {
  const words = (book: ShelfBook) => counted(book.wordCount, "word");
  const rows: [string, ShelfBook | null, string][] = [
    ["Longest", longest, longest ? words(longest) : ""],
    ["Shortest", shortest, shortest ? words(shortest) : ""],
    ["Fastest", fastest, fastest ? `${whole(fastest.wordsPerDay)} words a day` : ""],
  ];
  const known = rows.filter(([, book]) => book !== null);
  if (known.length === 0) return null;
  return (
    <section className={css.seven} aria-labelledby="marks">
      <h2 className="h2" id="marks">
        {fastest ? "Longest, shortest, fastest" : "Longest and shortest"}
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
const MOST_BEST = 5;

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
const MOST_BARS = 5;

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
