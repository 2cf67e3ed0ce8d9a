import type { Format, StatusFilter } from "../../kit/api/types";
import { titleKey } from "../../kit/fold";
import { dateBefore, longDate } from "../../kit/format";
import { isDay } from "../../kit/roughDate";
import { FORMAT_WORDS, STATUS_WORDS } from "../../kit/words";

/** How rereads are filtered. */
export type Rereads = "include" | "exclude" | "only";

/** The dashboard's filter. It applies to the figures, the shelf, the charts and the table together. */
export interface Filter {
  titleSearch: string;
  genres: readonly string[];
  authors: readonly string[];
  tags: readonly string[];
  series: readonly string[];
  /** Language tags: `en`. */
  languages: readonly string[];
  formats: readonly Format[];
  statuses: readonly StatusFilter[];
  reread: Rereads;
  /** 0 to 10; above 0 it leaves out unrated books. */
  minRating: number;
  /** Bounds of the completion date, both inclusive, yyyy-MM-dd or ""; a bound leaves out books without a date. */
  startDate: string;
  endDate: string;
}

/** No filter: the state after Reset Filters. */
export const UNFILTERED: Filter = {
  titleSearch: "",
  genres: [],
  authors: [],
  tags: [],
  series: [],
  languages: [],
  formats: [],
  statuses: [],
  reread: "include",
  minRating: 0,
  startDate: "",
  endDate: "",
};

const isFormat = (text: string): text is Format => Object.hasOwn(FORMAT_WORDS, text);
const isStatus = (text: string): text is StatusFilter => Object.hasOwn(STATUS_WORDS, text);
const asDate = (text: string | null) => (text && isDay(text) ? text : "");
const asRating = (text: string | null) => (text && /^(10|[1-9])$/.test(text) ? Number(text) : 0);
const unique = (texts: string[]) => [...new Set(texts)].filter((text) => text !== "");

/** Reads a filter from an address's query. Values that it does not understand are ignored. */
export function parseFilter(search: string): Filter {
  const query = new URLSearchParams(search);
  const reread = query.get("reread");
  return {
    titleSearch: query.get("titleSearch") ?? "",
    genres: unique(query.getAll("genres")),
    authors: unique(query.getAll("authors")),
    tags: unique(query.getAll("tags")),
    series: unique(query.getAll("series")),
    languages: unique(query.getAll("language")),
    formats: unique(query.getAll("formats")).filter(isFormat),
    statuses: unique(query.getAll("status")).filter(isStatus),
    reread: reread === "exclude" || reread === "only" ? reread : "include",
    minRating: asRating(query.get("minRating")),
    startDate: asDate(query.get("startDate")),
    endDate: asDate(query.get("endDate")),
  };
}

/** The filter as query parameters of the API, without unset ones. The page's address uses the same names. */
export function toQuery(filter: Filter): Record<string, string | readonly string[]> {
  const { titleSearch, genres, authors, tags, series, languages, formats, statuses } = filter;
  const { reread, minRating, startDate, endDate } = filter;
  return {
    ...(titleSearch.trim() && { titleSearch: titleSearch.trim() }),
    ...(genres.length > 0 && { genres }),
    ...(authors.length > 0 && { authors }),
    ...(tags.length > 0 && { tags }),
    ...(series.length > 0 && { series }),
    ...(languages.length > 0 && { language: languages }),
    ...(formats.length > 0 && { formats }),
    ...(statuses.length > 0 && { status: statuses }),
    ...(reread !== "include" && { reread }),
    ...(minRating > 0 && { minRating: String(minRating) }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
  };
}

/** Whether any filter is active. */
export function isFiltered(filter: Filter): boolean {
  return Object.keys(toQuery(filter)).length > 0;
}

/** Whether a title search is long enough for an answer. A single character is in nearly every title. */
export function isAnswered(search: string): boolean {
  return titleKey(search.trim()).length >= 2;
}

/** A period with a name. */
export interface Period {
  label: string;
  startDate: string;
  endDate: string;
}

/** The periods offered as one press, relative to `today`. */
export function periods(today: string): Period[] {
  const year = Number(today.slice(0, 4));
  return [
    { label: "All time", startDate: "", endDate: "" },
    { label: "This year", startDate: `${year}-01-01`, endDate: "" },
    { label: "Last 12 months", startDate: dateBefore(today, { years: 1 }), endDate: "" },
    { label: "Last 30 days", startDate: dateBefore(today, { days: 30 }), endDate: "" },
    lastYearToThisDay(today),
    yearPeriod(year - 1),
  ];
}

/** Last year up to the same day, for a comparison with this year. */
export function lastYearToThisDay(today: string): Period {
  const endDate = dateBefore(today, { years: 1 });
  return { label: "Last year to this day", startDate: `${endDate.slice(0, 4)}-01-01`, endDate };
}

/** A whole year as a period. */
function yearPeriod(year: number): Period {
  return { label: String(year), startDate: `${year}-01-01`, endDate: `${year}-12-31` };
}

/** The years before the last one, back to that of `first`, yyyy-MM-dd: each is a period of one press. */
export function earlierYears(today: string, first: string): Period[] {
  const [last, oldest] = [Number(today.slice(0, 4)) - 2, Number(first.slice(0, 4))];
  return Array.from({ length: Math.max(0, last - oldest + 1) }, (_, at) => yearPeriod(last - at));
}

/** The name of the period between the filter's dates, "" without dates. */
export function filterPeriodName(filter: Pick<Filter, "startDate" | "endDate">, today: string): string {
  const { startDate, endDate } = filter;
  if (!startDate && !endDate) return "";
  const known = periods(today).find((period) => period.startDate === startDate && period.endDate === endDate);
  if (known) return known.label;
  const year = startDate.slice(0, 4);
  if (startDate === `${year}-01-01` && endDate === `${year}-12-31`) return year;
  if (!endDate) return `From ${longDate(startDate)}`;
  return startDate ? `${longDate(startDate)} - ${longDate(endDate)}` : `Until ${longDate(endDate)}`;
}

/** One active filter, and the change that removes it. */
export interface FilterChip {
  label: string;
  without: Partial<Filter>;
}

/** The choices for rereads, in words. */
export const REREADS: Record<Rereads, string> = {
  include: "Include rereads",
  exclude: "Exclude rereads",
  only: "Only rereads",
};
