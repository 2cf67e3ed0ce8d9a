import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { CalendarDay, ReadingCalendar } from "../kit/api/types";
import { titlesQuery } from "../library/books/api";
import type { QueueEntry } from "../library/outbox/mutation";

/** What the calendar knows of each day. */
export interface Known {
  days: ReadonlyMap<string, CalendarDay>;
  finished: ReadonlyMap<string, readonly number[]>;
  titleOf: (id: number) => string;
  /** What this browser keeps of the day for the server. */
  waiting: ReadonlyMap<string, readonly QueueEntry[]>;
}

/** The days of a year, and what this browser keeps for them. */
export function useKnown(calendar: ReadingCalendar, waiting: Known["waiting"]): Known {
  const { data: titles } = useQuery(titlesQuery);
  return useMemo(() => {
    const names = new Map(titles?.map(({ id, title }) => [id, title]));
    const titleOf = (id: number) => names.get(id) ?? "a book";
    const finished = new Map<string, number[]>();
    for (const { day, id } of calendar.finished) finished.set(day, [...(finished.get(day) ?? []), id]);
    return { days: new Map(calendar.days.map((day) => [day.day, day])), finished, titleOf, waiting };
  }, [calendar, titles, waiting]);
}
