/**
 * Reads dates as people type them. The server reads the same notations (`src/library/rough_date.rs`); the tests of both read
 * `tests/fixtures/rough-dates.json`. Here "today" and "yesterday" are read, too, and days in figures: `31.1.2020`, `1/31/20`.
 */
import type { Place } from "../../access/place";
import { dateBefore, longDate, monthDay } from "../../kit/format";
import type { Hemisphere } from "../../kit/hemisphere";
import { FIRST_DAY, isBefore, LAST_DAY, lastDayOf, roughDate } from "../../kit/roughDate";

/** A day, or the last possible one with the first in `from`. */
export interface TypedDate {
  from: string | null;
  to: string;
}

/** What a text means, or the sentence that refuses it. */
export type ReadDate = (TypedDate & { refused?: undefined }) | { refused: string };

const UNKNOWN = "Not understood. Try a day like 2020-01-31, a month, a year, “spring 2020” or “before 2015”.";
const OUTSIDE = "Dates must be between 1900-01-01 and 2100-12-31.";
const TOO_LONG = "That is longer than a reader's life. Leave the date out instead.";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** The first month of each season in the north. */
const SEASONS: Record<string, number> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 };

/**
 * Reads a text in any case: a day, a month, a year, a season, a decade, years, "before 2015", two dates, "today". `locale` decides whether
 * 3/4/2020 is in March or in April.
 */
export function readDate(text: string, { hemisphere, today }: Partial<Place>, locale?: string): ReadDate {
  const typed = text
    .toLowerCase()
    .replace(/[–—−]/g, "-")
    .replace(/[\s,]+/g, " ")
    .trim();
  if (typed.length > 80) return { refused: UNKNOWN };
  if (today && typed === "today") return between(today, today);
  if (today && typed === "yesterday") return readDate(dateBefore(today, { days: 1 }), {});
  const season = /^([a-z]+) (\S+)$/.exec(typed);
  if (season && SEASONS[season[1] ?? ""]) return ofSeason(season[1] ?? "", season[2] ?? "", hemisphere ?? "north");
  const before = /^(?:before |(\.\.\/))(\d{4})$/.exec(typed);
  if (before) return between(FIRST_DAY, `${padded(Number(before[2]) - (before[1] ? 0 : 1), 4)}-12-31`);
  const decade = /^(\d{3})0s$/.exec(typed);
  if (decade) return between(`${decade[1]}0-01-01`, `${decade[1]}9-12-31`);
  const one = partOf(typed) ?? inFigures(typed, locale);
  if (one) return ofParts(one, one);
  const [first, last] = twoParts(typed);
  if (!first || !last || precision(first) !== precision(last)) return { refused: UNKNOWN };
  // In "Mar 5 – Jul 8, 2020" the year is written once.
  return ofParts({ ...first, year: first.year ?? last.year }, last);
}

/** A date from its two ends; equal ends are a day. */
export function between(from: string, to: string): ReadDate {
  if (from < FIRST_DAY || from > LAST_DAY || to < FIRST_DAY || to > LAST_DAY) return { refused: OUTSIDE };
  if (from > to) return { refused: UNKNOWN };
  const end = `${Number(from.slice(0, 4)) + 100}${from.slice(4).replace("-02-29", "-02-28")}`;
  if (to >= end && !isBefore(from, to)) return { refused: TOO_LONG };
  return { from: from < to ? from : null, to };
}

/** What a date counts for: `Counts for 2019. Any day from Jan 1 to Dec 31, 2019.` */
export function countsFor({ from, to }: TypedDate): string {
  const counts = `Counts for ${roughDate(to, from)}.`;
  if (from === null) return counts;
  if (isBefore(from, to)) return `${counts} Any day up to ${longDate(to)}.`;
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${counts} Any day from ${isOneYear ? monthDay(from) : longDate(from)} to ${longDate(to)}.`;
}

/** A year, a month or a day. The year may be missing where another part of the text has it. */
interface Part {
  year?: number;
  month?: number;
  day?: number;
}

const precision = ({ month, day }: Part) => (day !== undefined ? 3 : month !== undefined ? 2 : 1);
const padded = (number: number, length = 2) => String(number).padStart(length, "0");

/** The first and the last day of a part; undefined without a year and for a day that no calendar has. */
function ends({ year, month, day }: Part): [string, string] | undefined {
  if (year === undefined) return undefined;
  const first = `${padded(year, 4)}-${padded(month ?? 1)}-${padded(day ?? 1)}`;
  if (!isDay(first)) return undefined;
  if (day !== undefined) return [first, first];
  return [first, month === undefined ? `${padded(year, 4)}-12-31` : lastDayOf(first.slice(0, 7))];
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function ofParts(first: Part, last: Part): ReadDate {
  const from = ends(first)?.[0];
  const to = ends(last)?.[1];
  return from === undefined || to === undefined ? { refused: UNKNOWN } : between(from, to);
}

function ofSeason(season: string, years: string, hemisphere: Hemisphere): ReadDate {
  const [, first = "", second] = /^(\d{4})(?:[/-](\d{2}|\d{4}))?$/.exec(years) ?? [];
  const north = SEASONS[season] ?? 0;
  const month = hemisphere === "north" ? north : ((north + 5) % 12) + 1;
  if (first === "") return { refused: UNKNOWN };
  const year = Number(first);
  if (month !== 12)
    return second === undefined ? ofParts({ year, month }, { year, month: month + 2 }) : { refused: UNKNOWN };
  const next = String(year + 1);
  if (second === next || second === next.slice(2)) return ofParts({ year, month: 12 }, { year: year + 1, month: 2 });
  if (second !== undefined) return { refused: UNKNOWN };
  const both = (start: number) => `${start}/${padded((start + 1) % 100)}`;
  const name = (season[0] ?? "").toUpperCase() + season.slice(1);
  return { refused: `${name} ${both(year - 1)} or ${season} ${both(year)}? Write it with both years.` };
}

/** `2019`, `2021-03`, `2021-03-14`. */
function isoPart(text: string): Part | undefined {
  const found = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text);
  if (!found) return undefined;
  const [year, month, day] = found.slice(1).map((number) => (number === undefined ? undefined : Number(number)));
  return { year, month, day };
}

/** The same, `03/2021`, `2021/03`, and dates with the name of a month, with or without year and day. */
function partOf(text: string): Part | undefined {
  const iso = isoPart(text);
  if (iso) return iso;
  const slashed = /^(\d{4})\/(\d\d?)$/.exec(text) ?? /^(\d\d?)\/(\d{4})$/.exec(text);
  if (slashed) {
    const [one = "", two = ""] = slashed.slice(1);
    const [year, month] = one.length === 4 ? [one, two] : [two, one];
    return { year: Number(year), month: Number(month) };
  }
  const named = /^(?:(\d\d?) )?([a-z]{3,})\.?(?: (\d\d?))?(?: (\d{4}))?$/.exec(text);
  const month = named ? MONTHS.findIndex((name) => name.startsWith(named[2] ?? "")) + 1 : 0;
  if (!named || month === 0 || (named[1] && named[3])) return undefined;
  const day = named[1] ?? named[3];
  return { year: named[4] ? Number(named[4]) : undefined, month, day: day ? Number(day) : undefined };
}

/** A day in figures: `2020-1-5`, `31.1.2020`, `1/31/20`. Two figures of a year are the latest such year up to the next one. */
function inFigures(text: string, locale: string | undefined): Part | undefined {
  const [, year, , yearsMonth, yearsDay] = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/.exec(text) ?? [];
  if (year !== undefined) return { year: Number(year), month: Number(yearsMonth), day: Number(yearsDay) };
  const [, one, sign, two, last = ""] = /^(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)$/.exec(text) ?? [];
  if (one === undefined) return undefined;
  const [first, second] = [Number(one), Number(two)];
  const isMonthFirst = second > 12 || (first <= 12 && sign !== "." && hasMonthFirst(locale));
  const [month, day] = isMonthFirst ? [first, second] : [second, first];
  return { year: last.length === 4 ? Number(last) : fullYear(Number(last)), month, day };
}

/** Whether a locale, or else that of the browser, writes the month before the day. */
function hasMonthFirst(locale: string | undefined): boolean {
  const figures = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const parts = new Intl.DateTimeFormat(locale, figures).formatToParts().map(({ type }) => type);
  return parts.indexOf("month") < parts.indexOf("day");
}

/** The latest year with these last two figures, up to the next one. */
function fullYear(figures: number): number {
  const next = new Date().getFullYear() + 1;
  return next - ((((next - figures) % 100) + 100) % 100);
}

/** `2020-03/2020-05`, `2018-2020`, `Mar - May 2020`. */
function twoParts(text: string): (Part | undefined)[] {
  const slash = text.indexOf("/");
  if (slash >= 0) return [isoPart(text.slice(0, slash)), isoPart(text.slice(slash + 1))];
  const [sign, at] = text.includes(" - ") ? [" - ", text.indexOf(" - ")] : ["-", text.indexOf("-")];
  if (at < 0) return [];
  return [partOf(text.slice(0, at).trim()), partOf(text.slice(at + sign.length).trim())];
}
