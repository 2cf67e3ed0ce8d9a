/**
 * Reads dates as people type them. The server reads the same notations in files (`src/library/rough_date.rs`); the tests of both read
 * `tests/fixtures/rough-dates.json`. Here days are read, too, in every form that an import takes: `31.1.2020`, `1/31/20`, `Jan 31st`, `today`.
 */
import { dateBefore, longDate, monthDay } from "../../kit/format";
import type { Hemisphere } from "../../kit/hemisphere";
import { FIRST_DAY, isBefore, LAST_DAY, lastDayOf } from "../../kit/roughDate";
import type { Place } from "../place";

/** A day, or the last possible one with the first in `from`. */
export interface TypedDate {
  from: string | null;
  to: string;
}

/** What a text means, or the sentence that refuses it, with the dates that it may mean. */
export type ReadDate = (TypedDate & { refused?: undefined }) | { refused: string; choices?: readonly TypedDate[] };

const UNKNOWN = "Not understood. Try a day like 2020-01-31, a month, a year, “spring 2020” or “before 2015”.";
const OUTSIDE = "Dates must be between 1900-01-01 and 2100-12-31.";
const TOO_LONG = "That is longer than a reader's life. Leave the date out instead.";

/** The time of day behind a date. */
const TIME_OF_DAY = /(\d)(?: at)?[t ]\d\d?:\d\d[\d:.]*(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[+-]\d\d:?\d\d))?$/;

/** The day of the week before a date, in English. */
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.? (?=\S)/;

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

/** The beginnings of the names of months in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents. */
const BEGINNINGS = [
  ["jan", "ene", "gen"],
  ["feb", "fev"],
  ["mar", "mrz", "maa"],
  ["apr", "avr", "abr"],
  ["may", "mai", "mag", "mei"],
  ["jun", "juin", "giu"],
  ["jul", "juil", "lug"],
  ["aug", "aou", "ago"],
  ["sep", "set"],
  ["oct", "okt", "ott", "out"],
  ["nov"],
  ["dec", "dez", "dic"],
];

/** The first month of each season in the north. */
const SEASONS: Record<string, number> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 };

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[–—−]/g, "-")
    .replace(/[\s,]+/g, " ")
    .trim();

/**
 * Reads what a person types: "today", a day as an import takes it, one without its year, which is the last such day, "c. 2015", and
 * whatever {@link readRoughDate} reads. A day in figures has the order of `locale`, the browser's unless given; where that decides nothing,
 * both readings are asked back.
 */
export function readDate(text: string, place: Partial<Place>, locale = navigator.language): ReadDate {
  const typed = plain(text)
    .replace(TIME_OF_DAY, "$1")
    .replace(WEEKDAY, "")
    // "4. 3. 2020" and "2020. 3. 4."
    .replace(/(\d)\. (?=\d)/g, "$1.")
    .replace(/(\.\d+)\.$/, "$1")
    .replace(/^(?:c\.|ca\.|circa|around|about|~) ?(?=\d{4}$)/, "")
    .replace(/^(\d{4}) ?[?~]$/, "$1");
  const { today } = place;
  if (today && typed === "today") return between(today, today);
  if (today && typed === "yesterday") return readDate(dateBefore(today, { days: 1 }), {});
  const days = (typed.length > 40 ? [] : [...inFigures(typed, locale), ...withName(typed)]).flatMap((part) => {
    const day = part.year === undefined ? lastSuch(part, today) : ends(part)?.[0];
    return day ? [day] : [];
  });
  const [day, other] = days;
  if (day && other && day !== other) {
    const choices = days.map((one) => ({ from: null, to: one }));
    return { refused: `${text.trim()}: which day?`, choices };
  }
  return day ? between(day, day) : readRoughDate(typed, place);
}

/** Reads the notations of files, in any case: a day, a month, a year, a season, a decade, years, "before 2015", two dates. */
export function readRoughDate(text: string, { hemisphere }: Partial<Place>): ReadDate {
  const typed = plain(text);
  if (typed.length > 80) return { refused: UNKNOWN };
  const season = /^([a-z]+) (\S+)$/.exec(typed);
  if (season && SEASONS[season[1] ?? ""]) return ofSeason(season[1] ?? "", season[2] ?? "", hemisphere ?? "north");
  const before = /^(?:before |(\.\.\/))(\d{4})$/.exec(typed);
  if (before) return between(FIRST_DAY, `${padded(Number(before[2]) - (before[1] ? 0 : 1), 4)}-12-31`);
  const decade = /^(\d{3})0s$/.exec(typed);
  if (decade) return between(`${decade[1]}0-01-01`, `${decade[1]}9-12-31`);
  const one = partOf(typed);
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

/** What a rough date means: `Any day from Jan 1 to Dec 31, 2019.` Nothing for an exact one. */
export function anyDay({ from, to }: TypedDate): string {
  if (from === null) return "";
  if (isBefore(from, to)) return `Any day up to ${longDate(to)}.`;
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `Any day from ${isOneYear ? monthDay(from) : longDate(from)} to ${longDate(to)}.`;
}

/** A date as a form holds it: a day as yyyy-MM-dd, a rough date as its two days with a slash between. */
export const heldDate = ({ from, to }: TypedDate): string => (from === null ? to : `${from}/${to}`);

/** The sentence that refuses what a field holds, which may be rough or is an exact day; false for an empty field. */
export function dateRefusal(held: string, place: Partial<Place>, isRough: boolean): string | false {
  if (held.trim() === "") return false;
  const read = readDate(held, place);
  if (read.refused !== undefined && read.refused !== UNKNOWN) return read.refused;
  if (read.refused === undefined && (isRough || read.from === null)) return false;
  return isRough ? "Try a day, a month, a year, or “spring 2020”." : "Try a day, like Nov 18, 2025.";
}

/** As {@link dateRefusal}, for an exact day. */
export const dayRefusal = (held: string): string | false => dateRefusal(held, {}, false);

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
  const choices = [year - 1, year].flatMap((start) => {
    const read = ofSeason(season, `${start}/${start + 1}`, hemisphere);
    return read.refused === undefined ? [read] : [];
  });
  return { refused: `${name} ${both(year - 1)} or ${season} ${both(year)}? Write it with both years.`, choices };
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

/** A day in figures, `2020-1-5`, `20200105`, `2020年1月5日`, `31.1.2020`, `1/31/20`, `1/31`: two days where the locale leaves both. */
function inFigures(text: string, locale: string): Part[] {
  const yearFirst =
    /^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/.exec(text) ??
    /^(\d{4})()(\d\d)(\d\d)$/.exec(text) ??
    /^(\d{4})([年년]) ?(\d\d?)[月월] ?(\d\d?)[日일]$/.exec(text);
  if (yearFirst) return [{ year: Number(yearFirst[1]), month: Number(yearFirst[3]), day: Number(yearFirst[4]) }];
  const [, one, sign, two, last = ""] = /^(\d\d?)([-/.])(\d\d?)(?:\2(\d{4}|\d\d))?\.?$/.exec(text) ?? [];
  if (one === undefined || (sign === "-" && last === "")) return [];
  const [first, second] = [Number(one), Number(two)];
  const year = last === "" ? undefined : last.length === 4 ? Number(last) : fullYear(Number(last));
  const monthFirst = { year, month: first, day: second };
  const dayFirst = { year, month: second, day: first };
  if (sign === ".") return [dayFirst];
  if (first > 12 || second > 12) return [first > 12 ? dayFirst : monthFirst];
  // The browser of half the world says English or American English, whoever uses it.
  if (/^en(-US)?$/.test(locale)) return [monthFirst, dayFirst];
  return [hasMonthFirst(locale) ? monthFirst : dayFirst];
}

/** Whether a locale writes the month before the day. */
function hasMonthFirst(locale: string): boolean {
  const figures = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const parts = new Intl.DateTimeFormat(locale, figures).formatToParts().map(({ type }) => type);
  return parts.indexOf("month") < parts.indexOf("day");
}

/** A day with the name of its month: `Mar 4, 2020`, `March 4th`, `14-Mar-20`, `14. März 2025`, `14 de marzo de 2025`. */
function withName(text: string): Part[] {
  const words = text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/(\d)(?:st|nd|rd|th)\b/g, "$1")
    .split(/[ .-]+/)
    .filter((word) => word !== "" && word !== "de" && word !== "of");
  const [first = "", second = "", year, ...more] = words;
  const [name, day] = /^\d/.test(first) ? [second, first] : [first, second];
  const month = BEGINNINGS.findIndex((beginnings) => beginnings.some((beginning) => name.startsWith(beginning))) + 1;
  if (month === 0 || more.length > 0 || !/^\d\d?$/.test(day)) return [];
  if (year === undefined) return [{ month, day: Number(day) }];
  if (/^\d{4}$/.test(year)) return [{ month, day: Number(day), year: Number(year) }];
  // Spreadsheets shorten the year only between hyphens.
  return /^\d\d$/.test(year) && text.includes("-") ? [{ month, day: Number(day), year: fullYear(Number(year)) }] : [];
}

/** The last day up to today of that month and day; February 29 is looked for over eight years. */
function lastSuch(part: Part, today: string | undefined): string | undefined {
  if (today === undefined) return undefined;
  const year = Number(today.slice(0, 4));
  for (let back = 0; back <= 8; back++) {
    const day = ends({ ...part, year: year - back })?.[0];
    if (day && day <= today) return day;
  }
  return undefined;
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
