import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import type { Stats } from "../kit/api/types";
import { statsQuery } from "./api";
import { type Filter, lastYearToThisDay } from "./filters/filter";
import { Kpis } from "./Kpis";

interface YearKpisProps {
  stats: Pick<Stats, "kpis" | "library">;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  /** The filter of the figures. */
  filter: Filter;
}

/**
 * The strip of figures, with last year beside the words of this year. There is no comparison where last year is hidden: by the
 * plan, by a filter of dates, and while a title is searched, when each key would cost a second answer.
 */
export const YearKpis = memo(function YearKpis({ stats: { kpis, library }, today, filter }: YearKpisProps) {
  const isComparable =
    library.limitedToMonths === null &&
    !filter.titleSearch &&
    !filter.startDate &&
    !filter.endDate &&
    kpis.booksRead > 0;
  const { startDate, endDate } = lastYearToThisDay(today);
  const { data } = useQuery({ ...statsQuery({ ...filter, startDate, endDate }), enabled: isComparable });
  return <Kpis figures={kpis} today={today} lastYear={isComparable ? (data?.kpis.totalWords ?? null) : undefined} />;
});
