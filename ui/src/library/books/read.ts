/** The rules of a read: its places and days, and what is said of it. */
import { READING_DAY_FIELDS } from "../../kit/api/limits";
import type { Book, ReadingDay, ReadingForecast } from "../../kit/api/types";
import { capitalized, clock, counted, dateSpan, longDate, monthDay, whole } from "../../kit/format";
import { isBefore, roughDate } from "../../kit/roughDate";
import { readMinutes } from "./numbers";

/** The whole of a book, in hundredths of a percent. */
export const WHOLE = 10_000;

const ORDINALS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"];

/** The name of a read by its place, counted from 0: `First read`, `Read 11`. */
export function readName(at: number): string {
  const ordinal = ORDINALS[at];
  return ordinal ? `${ordinal} read` : `Read ${at + 1}`;
}

/** The read that the page's buttons are about: the newest open one, otherwise the newest of all. `reads` is oldest first. */
export function currentRead(reads: readonly Book[]): Book | undefined {
  return reads.filter(({ status }) => status === "in-progress").at(-1) ?? reads.at(-1);
}

export const isFinished = ({ status }: Pick<Book, "status">) => status === "completed" || status === "undated";

/** A place in percent with at most two decimals: `31%`, `12.34%`. */
export function percentOf(at: number): string {
  return `${at / 100}%`;
}

/** The edition of a read, as far as its places depend on it. */
export type Edition = Pick<Book, "format" | "minutes" | "pages">;

/** The minutes up to a place in an audiobook; null for a place by page, and where the length is unknown. */
export function minutesAt(
  { at, page }: { at: number; page: number | null },
  { format, minutes }: Edition,
): number | null {
  return format === "Audio" && minutes !== null && page === null ? Math.round((at * minutes) / WHOLE) : null;
}

/** The page of a place; null where the book has no pages. */
export function pageOf({ progress, pages }: Pick<Book, "progress" | "pages">): number | null {
  if (pages === null) return null;
  return progress?.page ?? Math.floor(((progress?.at ?? 0) * pages) / WHOLE);
}

/** The place of a read: a page, a time in an audiobook, or a percentage. */
export function placeOf(place: { at: number; page: number | null }, edition: Edition): string {
  const minutes = minutesAt(place, edition);
  if (place.page !== null) return `page ${whole(place.page)}`;
  return minutes === null ? percentOf(place.at) : clock(minutes);
}

/** What a place is a part of: `of 412`, `of 12:30`; empty for a percentage. */
export function wholeOf(place: { at: number; page: number | null }, edition: Edition): string {
  if (place.page !== null) return edition.pages === null ? "" : ` of ${whole(edition.pages)}`;
  return minutesAt(place, edition) === null ? "" : ` of ${clock(edition.minutes ?? 0)}`;
}

/** A day without its year where that is the running one: `Nov 17`, `Nov 17, 2024`. */
export function dayIn(day: string, today: string): string {
  return day.slice(0, 4) === today.slice(0, 4) ? monthDay(day) : longDate(day);
}

/** When a book will be finished at its pace so far; null when that is unknown. */
export function forecastLine(forecast: ReadingForecast | null, today: string): string | null {
  if (!forecast) return null;
  if (forecast.days === 0) return "At this pace you finish today.";
  return `At this pace you finish around ${dayIn(forecast.date, today)}.`;
}

/** The places of a log on a ruler, in hundredths of a percent, half a percent apart at least. */
export function ticksOf(days: readonly ReadingDay[]): number[] {
  const places = days.flatMap(({ at }) => (at === null ? [] : [Math.min(WHOLE, Math.round(at / 50) * 50)]));
  return [...new Set(places)].sort((one, other) => one - other);
}

/** The sentence below the title. */
export function summary(reads: readonly Book[], today: string): string {
  const read = currentRead(reads);
  if (!read) return "";
  const day = (date: string) => dayIn(date, today);
  const { status } = read;
  // Where pages are known they are said, as on the ruler below.
  const progress = read.progress && {
    ...read.progress,
    page: minutesAt(read.progress, read) === null ? pageOf(read) : null,
  };
  if (status === "in-progress") {
    const place = progress && `${placeOf(progress, read)}${wholeOf(progress, read)}`;
    if (read.pausedSince) return `Paused since ${day(read.pausedSince)}${place ? `, at ${place}` : ""}.`;
    const since = read.startDate ? `Reading since ${day(read.startDate)}.` : "Reading now.";
    return place ? `${since} ${capitalized(place)}.` : since;
  }
  if (status === "did-not-finish") {
    const parts = [read.stoppedDate && `on ${longDate(read.stoppedDate)}`, progress && `at ${placeOf(progress, read)}`];
    const known = parts.filter(Boolean);
    return known.length === 0 ? "Not finished." : `Not finished. Stopped ${known.join(", ")}.`;
  }
  const finished = reads.filter(isFinished);
  if (finished.length > 1) {
    const last = finished.filter(({ dateCompleted }) => dateCompleted !== null).at(-1);
    const times = finished.length === 2 ? "Read twice" : `Read ${finished.length} times`;
    return last?.dateCompleted
      ? `${times}, last finished ${when(last.dateCompleted, last.completedFrom)}.`
      : `${times}.`;
  }
  return read.dateCompleted ? `Finished ${when(read.dateCompleted, read.completedFrom)}.` : "Finished, without a date.";
}

/** `on Jun 22, 2025`, `in 2019`, `before 2015`. */
function when(to: string, from: string | null): string {
  const date = roughDate(to, from);
  if (from === null) return `on ${date}`;
  return isBefore(from, to) ? date : `in ${date}`;
}

/** The days of a read: `Jun 3 - Jun 22, 2025`, `Since Nov 10, 2025`, `No date`. */
export function daysOf(read: Book): string {
  const { status, startDate, dateCompleted } = read;
  if (status === "in-progress") return startDate ? `Since ${longDate(startDate)}` : "Without a start date";
  const end = status === "did-not-finish" ? read.stoppedDate : dateCompleted;
  if (end === null) return startDate ? `Since ${longDate(startDate)}` : "No date";
  if (startDate === null) return roughDate(end, status === "completed" ? read.completedFrom : null);
  const isOneYear = startDate.slice(0, 4) === end.slice(0, 4);
  return isOneYear ? dateSpan(startDate, end) : `${longDate(startDate)} - ${longDate(end)}`;
}

/** What a rough date of completion counts for; null for an exact day, and for a whole year, which says it itself. */
function roughNote({ dateCompleted: to, completedFrom: from }: Book): string | null {
  if (to === null || from === null || isWholeYear(from, to)) return null;
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  const any = isBefore(from, to)
    ? `Any day up to ${longDate(to)}.`
    : `Any day from ${isOneYear ? monthDay(from) : longDate(from)} to ${longDate(to)}.`;
  const counts = `Counts for ${isOneYear ? to.slice(0, 4) : "no single year"}`;
  if (from.slice(0, 7) === to.slice(0, 7)) return `${any} ${counts}.`;
  const isLong = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 > MOST_ABOUT_DAYS;
  const months = isLong ? "it is in no month of Words per Month" : "in Words per Month it is shown apart, as “about”";
  return `${any} ${counts}; ${months}.`;
}

/** The longest rough date that Words per Month shows, in days. */
const MOST_ABOUT_DAYS = 366;

const isWholeYear = (from: string, to: string) => from === `${to.slice(0, 4)}-01-01` && to.endsWith("-12-31");

/** What stands behind the days of a read: its length, "some time that year", or the days of a log that goes on. */
export function besideDays(read: Book, logged: number | undefined): string | null {
  if (read.status === "in-progress") return logged ? `${counted(logged, "day")} noted` : null;
  const { dateCompleted: to, completedFrom: from } = read;
  if (to !== null && from !== null) return isWholeYear(from, to) ? "some time that year" : null;
  const days = lengthOf(read);
  return days === null ? null : counted(days, "day");
}

/** What is said below a read that counts in fewer figures than others: one without words or date, or with a rough one. */
export function countingOf(read: Book): string | null {
  if (!isFinished(read)) return null;
  if (read.wordCount === 0)
    return "Without a word count it has no thickness, and adds nothing to the words. Pages × 275 is a good guess.";
  if (read.status === "undated")
    return "Counts for word count, author and genre statistics, excluded from date-based analytics.";
  return roughNote(read);
}

/** The number of days of a read, both ends included; null while it is unknown. */
export function lengthOf({ startDate, dateCompleted, stoppedDate }: Book): number | null {
  const end = dateCompleted ?? stoppedDate;
  if (startDate === null || end === null) return null;
  return Math.round((Date.parse(end) - Date.parse(startDate)) / 86_400_000) + 1;
}

/** How the rating changed since the read before: `8 in 2012, 9.5 now.`; null without two different ratings. */
export function changeOf(reads: readonly Book[], at: number): string | null {
  const read = reads[at];
  const before = reads
    .slice(0, at)
    .filter(({ rating }) => rating !== null)
    .at(-1);
  if (!read || !before || read.rating === null || read.rating === before.rating) return null;
  const year = yearOf(before);
  const isNewest = !reads.slice(at + 1).some(({ rating }) => rating !== null);
  return `${before.rating} ${year ? `in ${year}` : "before"}, ${read.rating} ${isNewest ? "now" : "then"}.`;
}

/** The year of a read; null without a date, and where it may have been one of several years. */
function yearOf({ dateCompleted, completedFrom }: Book): string | null {
  const year = dateCompleted?.slice(0, 4) ?? null;
  return completedFrom === null || completedFrom.slice(0, 4) === year ? year : null;
}

/** Where a read was given up, with its words; null without a place. */
export function stoppedAt(read: Book): string | null {
  const { status, progress, wordCount } = read;
  if (status !== "did-not-finish" || !progress) return null;
  if (wordCount === 0) return `Stopped at ${placeOf(progress, read)}.`;
  const words = Math.floor((wordCount * progress.at) / WHOLE);
  return `Stopped at ${placeOf(progress, read)}, ${whole(words)} of ${counted(wordCount, "word")}.`;
}

/** A day of a log with the words that were read on it. */
export interface LogRow {
  day: ReadingDay;
  /** Null for a day without a place, and for a place below an earlier one. */
  words: number | null;
}

/** The rows of a log, newest first. `days` is oldest first. */
export function logRows(days: readonly ReadingDay[], wordCount: number): LogRow[] {
  let reached = 0;
  const rows = days.map((day) => {
    if (day.at === null || day.at < reached) return { day, words: null };
    const words = Math.floor((wordCount * day.at) / WHOLE) - Math.floor((wordCount * reached) / WHOLE);
    reached = day.at;
    return { day, words };
  });
  return rows.reverse();
}

/** The unit in which a place is typed. */
export type Unit = "page" | "percent" | "time";

/** What the dialog of a day holds, as typed. */
export interface DayForm {
  day: string;
  unit: Unit;
  place: string;
  minutes: string;
  note: string;
}

/** The refusals of a day, one sentence for each field. */
export type DayRefusals = Partial<Record<keyof DayForm, string>>;

/** The units that places of an edition can be typed in, the usual one first. */
export function unitsOf({ format, minutes, pages }: Edition): [Unit, ...Unit[]] {
  const time: Unit[] = minutes === null ? [] : ["time"];
  const page: Unit[] = pages === null ? [] : ["page"];
  const [first = "percent", ...others] = format === "Audio" ? [...time, ...page] : [...page, ...time];
  return first === "percent" ? [first] : [first, ...others, "percent"];
}

/** The form for a day that is known, or for a new one: its place is typed in the unit in which it was noted, or the usual one. */
export function dayForm(day: string, edition: Edition, known?: ReadingDay): DayForm {
  const units = unitsOf(edition);
  const noted: Unit = known?.page != null ? "page" : known?.time != null ? "time" : "percent";
  const unit = known?.at == null ? units[0] : units.includes(noted) ? noted : "percent";
  const percent = known?.at == null ? "" : String(known.at / 100);
  return {
    day,
    unit,
    place: { page: String(known?.page ?? ""), time: known?.time ?? "", percent }[unit],
    minutes: known?.minutes == null ? "" : String(known.minutes),
    note: known?.note ?? "",
  };
}

/** The present place of a read as it is typed. */
export function presentPlace({ progress, ...edition }: Pick<Book, "progress"> & Edition): TypedPlace {
  if (!progress) return { unit: unitsOf(edition)[0], place: "" };
  if (progress.page !== null && edition.pages !== null) return { unit: "page", place: String(progress.page) };
  const minutes = minutesAt(progress, edition);
  if (minutes !== null) return { unit: "time", place: clock(minutes) };
  return { unit: "percent", place: String(progress.at / 100) };
}

/** The body of `PUT /api/books/{id}/days/{day}`. */
export interface DayPayload {
  page?: number | null;
  percent?: number;
  /** From the beginning of an audiobook, h:mm. */
  time?: string;
  minutes?: number | null;
  note?: string | null;
}

/** What was noted: `page 222`, `31%`, `3:20`, `read today`. */
export function placeName({ page, percent, time }: DayPayload): string {
  if (percent !== undefined) return `${percent}%`;
  if (time !== undefined) return time;
  return page == null ? "read today" : `page ${whole(page)}`;
}

const typed = (text: string) => text.trim().replace(/%$/, "").trim().replace(",", ".");

/** A place as it is typed. */
export type TypedPlace = Pick<DayForm, "unit" | "place">;

/** A place as it is sent. A null page takes the place away. */
export type PlacePayload = { page: number | null } | { percent: number } | { time: string };

/** The payload of a typed place, or why it is refused. */
export function placePayload(
  form: TypedPlace,
  { pages, minutes }: Pick<Book, "pages" | "minutes">,
): { place: PlacePayload } | { refusal: string } {
  const place = form.unit === "page" ? form.place.trim().replace(/[,. ](?=\d{3}$)/g, "") : typed(form.place);
  const number = Number(place);
  if (place === "") return { place: { page: null } };
  if (form.unit === "percent") {
    if (/^\d{1,3}(\.\d{1,2})?$/.test(place) && number <= 100) return { place: { percent: number } };
    return { refusal: "The percentage must be a number from 0 to 100 with at most two decimals." };
  }
  if (form.unit === "time") {
    const time = readMinutes(form.place);
    if (time === null) return { refusal: "Write the time as hours and minutes, like 3:20." };
    if (minutes !== null && time > minutes) return { refusal: `This audiobook is ${clock(minutes)} long.` };
    return { place: { time: clock(time) } };
  }
  if (!/^\d{1,6}$/.test(place)) return { refusal: "The page must be a whole number." };
  if (pages !== null && number > pages) return { refusal: `This edition has ${whole(pages)} pages.` };
  return { place: { page: number } };
}

/**
 * The payload of a typed day, or its refusals. What is empty is cleared in a known day. It is left out of a new one, so that a day
 * that the log has already keeps it; a new day without a place says only that it was read on.
 */
export function dayPayload(
  form: DayForm,
  edition: Pick<Book, "pages" | "minutes">,
  isKnown = false,
): { payload: DayPayload } | { refusals: DayRefusals } {
  const refusals: DayRefusals = {};
  const checked = placePayload(form, edition);
  if (form.day === "") refusals.day = "The day is required.";
  if ("refusal" in checked) refusals.place = checked.refusal;
  const minutes = form.minutes.trim();
  if (minutes !== "" && (!/^\d{1,4}$/.test(minutes) || Number(minutes) > READING_DAY_FIELDS.minutes.maximum))
    refusals.minutes = `The minutes must be a whole number from 0 to ${whole(READING_DAY_FIELDS.minutes.maximum)}.`;
  const longest = READING_DAY_FIELDS.note.maxLength;
  if ([...form.note].length > longest) refusals.note = `The note can have at most ${whole(longest)} characters.`;
  if ("refusal" in checked || Object.keys(refusals).length > 0) return { refusals };
  const payload: DayPayload = {
    ...checked.place,
    minutes: minutes === "" ? null : Number(minutes),
    note: form.note.trim() === "" ? null : form.note,
  };
  return { payload: isKnown ? payload : withoutEmpty(payload) };
}

function withoutEmpty(payload: DayPayload): DayPayload {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));
}
