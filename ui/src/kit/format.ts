/** Formats of numbers and dates on the pages. Calendar dates are `yyyy-MM-dd` and belong to no time zone. */

// Formatters are made at their first use, because making one takes a thousand times as long as using it and delays the first paint.
let wholes: Intl.NumberFormat | undefined;
const lists: Partial<Record<Intl.ListFormatType, Intl.ListFormat>> = {};

/** A whole number with thousands separators: `1,234,567`. */
export function whole(value: number): string {
  wholes ??= new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  return wholes.format(value);
}

/** A text with a capital at its start. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `1 book`, `12 books`, `1,204 books`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

/** As {@link counted}, with a shortened number: `1 word`, `12.3K words`. */
export function shortCounted(value: number, one: string): string {
  return `${short(value)} ${value === 1 ? one : `${one}s`}`;
}

/** A shortened number in two parts, so that the unit can be set smaller. */
export interface Shortened {
  value: string;
  unit: "" | "K" | "M";
}

/**
 * Thousands as K and millions as M with one decimal, rounded half away from zero but never up into the next unit
 * (999,999 is 999.9K). Numbers below 1,000 stay as they are.
 */
export function shortened(value: number): Shortened {
  const size = Math.abs(value);
  if (size < 1_000) return { value: String(value), unit: "" };
  if (size < 1_000_000) return { value: inTenths(value, 1_000, 999.9), unit: "K" };
  return { value: inTenths(value, 1_000_000, Number.POSITIVE_INFINITY), unit: "M" };
}

/** As {@link shortened}, in one string: `12.3K`. */
export function short(value: number): string {
  const { value: figure, unit } = shortened(value);
  return figure + unit;
}

function inTenths(value: number, unit: number, most: number): string {
  const tenths = Math.round(Math.abs(value) / (unit / 10)) / 10;
  return (Math.sign(value) * Math.min(tenths, most)).toFixed(1);
}

/** A share of a total as a percentage to one decimal: `12.5%`. A share of 0 is `0.0%`. */
export function percent(part: number, all: number): string {
  return `${(all === 0 ? 0 : (100 * part) / all).toFixed(1)}%`;
}

/** A length in minutes: `12 h 30 min`, `12 h`, `45 min`. */
export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${whole(hours)} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(" ");
}

/** Minutes as a time from the beginning: `3:20`. */
export function clock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** `title`, `title and author`, `title, author and genres`. */
export const and = (names: readonly string[]) => listed(names, "conjunction");

/** `ratings`, `ratings or days`, `ratings, days or covers`. */
export const or = (names: readonly string[]) => listed(names, "disjunction");

function listed(names: readonly string[], type: Intl.ListFormatType): string {
  lists[type] ??= new Intl.ListFormat("en-GB", { type });
  return lists[type].format(names);
}

/** A format of calendar dates and months, `yyyy-MM-dd` or `yyyy-MM`. Anything else stays as it is. */
function dateFormat(style: Intl.DateTimeFormatOptions): (date: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    const time = Date.parse(date);
    if (Number.isNaN(time)) return date;
    format ??= new Intl.DateTimeFormat("en-US", { ...style, timeZone: "UTC" });
    return format.format(time);
  };
}

/** `Mar 7, 2025`. */
export const longDate = dateFormat({ year: "numeric", month: "short", day: "numeric" });
/** `Mar 7`. */
export const monthDay = dateFormat({ month: "short", day: "numeric" });
/** `March 7`. */
export const fullDay = dateFormat({ month: "long", day: "numeric" });
/** `Friday, March 7`. */
export const weekdayName = dateFormat({ weekday: "long", month: "long", day: "numeric" });
/** `Friday, March 7, 2025`. */
export const wholeDay = dateFormat({ weekday: "long", year: "numeric", month: "long", day: "numeric" });
/** `Mar 2025`. */
export const longMonth = dateFormat({ year: "numeric", month: "short" });
/** `March 2025`. */
export const fullMonth = dateFormat({ year: "numeric", month: "long" });
/** `Mar`. */
export const shortMonthName = dateFormat({ month: "short" });
/** `March`. */
export const monthName = dateFormat({ month: "long" });

/** A span as `MMM d - MMM d, yyyy`: `Mar 28 - Apr 7, 2025`. The year is the end's. A span of one day is a day. */
export function dateSpan(start: string, end: string): string {
  if (start === end) return longDate(end);
  return `${monthDay(start)} - ${longDate(end)}`;
}

/** The calendar date of an instant in a time zone, the browser's unless given: `yyyy-MM-dd`. */
export function dateOf(instant: Date | string, timeZone?: string): string {
  const day = calendarOf(timeZone).formatToParts(typeof instant === "string" ? new Date(instant) : instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => day.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

const calendars = new Map<string | undefined, Intl.DateTimeFormat>();

function calendarOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  calendars.set(timeZone, made);
  return made;
}

/** Today in a time zone, the browser's unless given, from an hour on: `yyyy-MM-dd`. */
export function today(timeZone?: string, startsAt = 0): string {
  return dateOf(new Date(Date.now() - startsAt * 3_600_000), timeZone);
}

/** The calendar date some days or years before another. */
export function dateBefore(date: string, { days = 0, years = 0 }: { days?: number; years?: number }): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const lastOfMonth = new Date(Date.UTC(year - years, month, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year - years, month - 1, Math.min(day, lastOfMonth) - days));
  return moved.toISOString().slice(0, 10);
}

/** The date of an instant as `MMM d, yyyy` in a time zone, the browser's unless given. */
export function instantDate(instant: string, timeZone?: string): string {
  return longDate(dateOf(instant, timeZone));
}

/** An instant as `MMM d, yyyy, HH:mm` in a time zone, the browser's unless given. */
export function instantTime(instant: string, timeZone?: string): string {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return `${instantDate(instant, timeZone)}, ${time.format(new Date(instant))}`;
}

/** The browser's time zone, an IANA name. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
