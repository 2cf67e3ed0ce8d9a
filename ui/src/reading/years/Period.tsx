import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Review, ShelfBook, Tally } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { bluesByRank } from "../../kit/spine/rank";
import { Banner } from "../../kit/ui/Alert";
import { LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Link } from "../../kit/ui/Link";
import { optionsQuery } from "../../library/books/api";
import { byFormat, byGenre } from "../../statistics/shelf/colours";
import { FilteredShelf } from "../../statistics/shelf/Shelf";
import { reviewQuery } from "./api";
import { Figures } from "./Figures";
import { isComing, isMonth, isRunning, periodBefore, periodTitle, withoutDate } from "./model";
import { Rows } from "./Rows";

interface PeriodProps {
  review: Review;
  today: string;
}

const bookHref = (book: ShelfBook) => paths.book(book.id);
const NO_NAMES: readonly Tally[] = [];

/** Fewer books than this have no rankings. */
const FEW = 3;

/** What was read in a period: its shelf and, from three books on, its figures. */
export function Period({ review, today }: PeriodProps) {
  const { period, totals, shelf, shown } = review;
  const { data: options, isPending, failureCount } = useQuery(optionsQuery);
  const genres = options?.genres ?? NO_NAMES;
  const colours = useMemo(() => [byGenre(genres), byFormat] as const, [genres]);
  const blueOf = useMemo(() => bluesByRank(genres.map(({ name }) => name)), [genres]);
  const onShelf = useMemo(() => ({ books: shelf, hidden: totals.books - shelf.length }), [shelf, totals.books]);
  const before = periodBefore(period);
  const { data: reviewBefore } = useQuery({
    ...reviewQuery(before ?? period),
    enabled: before !== null && totals.books >= FEW,
  });
  if (shown === "none") return <Hidden review={review} />;
  if (totals.books === 0) return <Nothing review={review} today={today} />;
  // The genres give the spines their colours and the legend its height. A failure only leaves them out.
  if (isPending && failureCount === 0) return null;
  return (
    <>
      {shown === "part" && <Hidden review={review} />}
      <FilteredShelf
        title={isMonth(period) ? "The month’s shelf" : "The year’s shelf"}
        shelf={onShelf}
        totalWords={totals.words}
        colours={colours}
        hrefOf={bookHref}
      />
      {totals.books < FEW ? (
        <Rows books={shelf} blueOf={blueOf} />
      ) : (
        <Figures
          review={review}
          today={today}
          blueOf={blueOf}
          before={before !== null && reviewBefore?.shown === "all" ? reviewBefore : undefined}
        />
      )}
    </>
  );
}

/** What the plan holds back of a period. */
function Hidden({ review: { period, limitedToMonths, shown } }: { review: Review }) {
  const what = shown === "none" ? periodTitle(period) : `The rest of ${periodTitle(period)}`;
  return (
    <Banner
      action={
        <LinkButton size="compact" href={paths.pricing()}>
          Upgrade
        </LinkButton>
      }
    >
      Your plan shows the last {limitedToMonths} months. {what} is kept, and shown with Shelfwise Plus.
    </Banner>
  );
}

/** A period without a finished book. */
function Nothing({ review, today }: PeriodProps) {
  const { period, totals, missing } = review;
  const title = periodTitle(period);
  if (isComing(period, today)) return <Empty title={`${title} is still to come.`} />;
  const days =
    totals.daysRead > 0 &&
    `${counted(totals.daysRead, "day")} of reading ${totals.daysRead === 1 ? "is" : "are"} noted.`;
  if (isRunning(period, today)) {
    return (
      <Empty
        title={`Nothing finished in ${title} yet.`}
        action={<LinkButton href={paths.reading()}>Go to Reading</LinkButton>}
      >
        {days}
      </Empty>
    );
  }
  return (
    <Empty title={`Nothing was finished in ${title}, as far as this library knows.`}>
      {days} {missing.date > 0 && <Link href={paths.undated()}>{withoutDate(missing.date)}</Link>}
    </Empty>
  );
}
