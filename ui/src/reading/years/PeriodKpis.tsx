import { useQuery } from "@tanstack/react-query";
import type { Review } from "../../kit/api/types";
import { counted, duration, fullDay, short, shortened, whole } from "../../kit/format";
import { type Kpi, KpiStrip } from "../../kit/ui/KpiStrip";
import { calendarQuery } from "../api";
import { besideNote, isMonth, isRunning, shortTitle, yearOf } from "./model";
import css from "./Years.module.css";

interface PeriodKpisProps {
  review: Review;
  /** The review of the period before; absent while it is fetched and where the plan hides a part of it. */
  before: Review | undefined;
  today: string;
}

/** The six figures of a period, each with what it was in the period before. A figure that says nothing is left out. */
export function PeriodKpis({ review, before, today }: PeriodKpisProps) {
  const { period, totals } = review;
  const { data: calendar } = useQuery({
    ...calendarQuery(yearOf(period)),
    enabled: !isMonth(period) && totals.daysRead > 0,
  });
  const first = calendar?.days[0]?.day;
  const since = first && first.slice(5, 7) !== "01" ? `since ${fullDay(first)}` : undefined;
  const kpis = kpisOf(review, before, today, isMonth(period) ? undefined : since);
  return <KpiStrip kpis={kpis} columns={6} className={css.kpis} />;
}

function kpisOf(review: Review, before: Review | undefined, today: string, since: string | undefined): Kpi[] {
  const { period, totals, before: then, averageRating, newAuthors, shelf, streak } = review;
  const running = isRunning(period, today);
  const compared = before !== undefined && then.books > 0;
  const beside = (value: string) => (compared ? besideNote(value, period, before.period, today) : undefined);
  const plain = (number: number): Kpi["value"] => ({ value: whole(number), unit: "" });
  const kpi = (label: string, value: Kpi["value"], note: string | undefined, second?: string): Kpi => ({
    label,
    value,
    ...(note !== undefined && { note }),
    ...(note !== undefined && second !== undefined && { second }),
  });
  const titles = totals.titles === totals.books ? undefined : counted(totals.titles, "title");
  const audio = totals.minutes > 0 ? `${duration(totals.minutes)} of audio` : undefined;
  const inARow =
    running && streak && streak.current > 1
      ? `${counted(streak.current, streak.unit === "weeks" ? "week" : "day")} in a row`
      : undefined;
  const lastRating = compared && before.averageRating !== null ? before.averageRating.toFixed(1) : undefined;
  const rated = review.ratings.reduce((sum, { books }) => sum + books, 0);
  // The shelf has the newest 500 books.
  const authors = shelf.length === totals.books ? new Set(shelf.map(({ author }) => author)).size : undefined;
  const words = beside(short(then.words));
  const rating =
    lastRating === undefined
      ? `${whole(rated)} rated`
      : `${lastRating} ${running ? "last year" : `in ${shortTitle(before?.period ?? "")}`}`;
  const all: (Kpi | false)[] = [
    kpi("Books", plain(totals.books), beside(whole(then.books)) ?? titles),
    kpi("Words", shortened(totals.words), words ?? audio, words && audio),
    totals.daysRead > 0 && kpi("Days read", plain(totals.daysRead), inARow ?? since),
    averageRating !== null && kpi("Avg Rating", { value: averageRating.toFixed(1), unit: "" }, rating),
    totals.rereads > 0 && kpi("Rereads", plain(totals.rereads), beside(whole(then.rereads))),
    newAuthors.length > 0 &&
      kpi("New authors", plain(newAuthors.length), authors === undefined ? undefined : `of ${whole(authors)}`),
  ];
  return all.filter((one) => one !== false);
}
