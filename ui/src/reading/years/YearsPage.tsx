import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { useToday } from "../../access/today";
import { paths } from "../../kit/paths";
import { LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Fetched } from "../../kit/ui/Fetched";
import { Page } from "../../kit/ui/Page";
import { optionsQuery } from "../../library/books/api";
import { reviewQuery } from "./api";
import { isPeriod, periodTitle } from "./model";
import { Period } from "./Period";
import { PeriodHead } from "./PeriodHead";

/** A year or a month of reading: its shelf, its figures, and what is missing. */
export default function YearsPage() {
  const { period = "" } = useParams();
  return isPeriod(period) ? <Reviewed key={period} period={period} /> : <NoPeriod />;
}

function Reviewed({ period }: { period: string }) {
  const query = useQuery(reviewQuery(period));
  usePrefetchQuery(optionsQuery);
  const today = useToday();
  return (
    <Page title={periodTitle(period)}>
      <PeriodHead period={period} today={today} review={query.data} />
      <Fetched query={query} waiting="Fetching what you read" failed="This period could not be loaded.">
        {(review) => <Period review={review} today={today} />}
      </Fetched>
    </Page>
  );
}

function NoPeriod() {
  const year = useToday().slice(0, 4);
  return (
    <Page title="Years">
      <h1 className="h1">Years</h1>
      <Empty
        title="This address names no year."
        action={<LinkButton href={paths.review(year)}>Go to {year}</LinkButton>}
      >
        A year is written 2026, a month 2026-11, from 1900 to 2100.
      </Empty>
    </Page>
  );
}
