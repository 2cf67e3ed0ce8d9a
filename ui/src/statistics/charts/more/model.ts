import type { ReadingCharts, ReadingStats } from "../../../kit/api/types";
import type { Bar } from "../../../kit/charts/Bars";
import type { ChartTable } from "../../../kit/charts/ChartFrame";
import type { Point, TrendPoint } from "../../../kit/charts/uplot";
import { counted, longMonth, percent, short, shortMonthName, whole } from "../../../kit/format";
import { languageName } from "../../../kit/language";
import type { Blue } from "../../../kit/ui/Badge";

/** The six lists of `GET /api/stats/reading`, with the name of the period where two are compared. */
export type Period = Pick<ReadingCharts, "pace" | "lengths" | "published" | "languages" | "ratings" | "outcomes"> & {
  name: string;
};

/** One period, or two that are compared. */
export type Periods = readonly [Period] | readonly [Period, Period];

/** A figure: what is drawn, the main finding, and the same numbers as a table. */
export interface Figure<Drawn> {
  title: string;
  drawn: readonly Drawn[];
  note: string;
  table: ChartTable;
}

/** The answer as one period, or as the two that it compares. */
export function periodsOf(stats: ReadingStats): Periods {
  if (!("periods" in stats)) return [{ ...stats, name: "" }];
  const [first, second] = stats.periods.map((period): Period => ({ ...period, name: period.from.slice(0, 4) }));
  if (!first || !second) throw new Error("Two periods were asked for.");
  return [first, second];
}

/** The names of the columns of a table: one for each period, or the only one. */
const heads = (periods: Periods, what: string): string[] =>
  periods.map(({ name }) => (name ? `${what} ${name}` : what));

/** What the figure says of both periods: `8.9K in 2025, 9.4K in 2024.` */
const comparison = (periods: Periods, describe: (period: Period) => string): string =>
  `${periods.map((period) => `${describe(period)} in ${period.name}`).join(", ")}.`;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The names of all months from the first to the last. */
function monthsBetween(first: string, last: string): string[] {
  const names: string[] = [];
  for (let [year, month] = first.split("-").map(Number) as [number, number]; ; month++) {
    if (month > 12) [year, month] = [year + 1, 1];
    const name = `${year}-${String(month).padStart(2, "0")}`;
    names.push(name);
    if (name >= last) return names;
  }
}

/** The words a day of all spans of a period. */
function meanPace({ pace }: Period): number {
  const days = sum(pace.map((one) => one.days));
  return days === 0 ? 0 : Math.round(sum(pace.map(({ words }) => words)) / days);
}

export function paceFigure(periods: Periods): Figure<TrendPoint> {
  const [one, other] = periods;
  const months = periods.flatMap(({ pace }) => pace.map(({ month }) => month)).sort();
  const [first, last] = [months[0], months.at(-1)];
  const isEmpty = first === undefined || last === undefined;
  // Two periods stand month by month below each other.
  const names = other ? monthsBetween("2000-01", "2000-12") : isEmpty ? [] : monthsBetween(first, last);
  const valueIn = (period: Period | undefined, month: string) =>
    period?.pace.find((it) => (other ? it.month.slice(4) === month.slice(4) : it.month === month))?.wordsPerDay ?? null;
  const spokenPace = (value: number | null) => (value === null ? "none" : `${whole(value)} words a day`);
  const drawn = isEmpty
    ? []
    : names.map((month) => {
        const [value, beside] = [valueIn(one, month), valueIn(other, month)];
        const name = other ? shortMonthName(month) : month;
        const text = other
          ? `${name}: ${spokenPace(value)} in ${one.name}, ${spokenPace(beside)} in ${other.name}`
          : `${longMonth(month)}: ${spokenPace(value)}`;
        return { name, value, ...(other && { other: beside }), text };
      });
  return {
    title: "Pace",
    drawn,
    note: other
      ? comparison(periods, (period) => `${short(meanPace(period))} words a day`)
      : `About ${short(meanPace(one))} words a day.`,
    table: {
      caption: "Words a day by month of completion",
      head: ["Month", ...heads(periods, "Words a day")],
      rows: drawn
        .filter(({ value, other: beside }) => value !== null || beside != null)
        .map(({ name, value, other: beside }) => [
          name,
          ...(other ? [value, beside ?? null] : [value]).map((it) => (it === null ? "-" : whole(it))),
        ]),
    },
  };
}

interface Counted {
  name: string;
  books: number;
}

/** The books of both periods by name; the names in the order in which they come. */
function booksByName(
  periods: Periods,
  named: (period: Period) => readonly Counted[],
): { name: string; books: number[] }[] {
  const lists = periods.map(named);
  const names = [...new Set(lists.flatMap((list) => list.map(({ name }) => name)))];
  return names.map((name) => ({ name, books: lists.map((list) => list.find((one) => one.name === name)?.books ?? 0) }));
}

function countsFigure(
  periods: Periods,
  title: string,
  what: string,
  counts: readonly { name: string; books: number[] }[],
  note: string,
): Figure<Bar> {
  const figure = (value = 0) => ({ value, text: value === 0 ? "" : whole(value) });
  return {
    title,
    drawn: counts.map(({ name, books: [value, other] }) => ({
      name,
      ...figure(value),
      ...(periods.length === 2 && { other: figure(other) }),
    })),
    note,
    table: {
      caption: title,
      head: [what, ...heads(periods, "Books")],
      rows: counts.map(({ name, books }) => [name, ...books.map(whole)]),
    },
  };
}

const UNKNOWN = "unknown";

const kilo = (words: number) => `${words / 1000}K`;

/** The name of a length: `<40K`, `40-80K`, `200K+`. */
function lengthName({ from, to }: ReadingCharts["lengths"][number]): string {
  if (from === null) return UNKNOWN;
  if (to === null) return `${kilo(from)}+`;
  return from === 0 ? `<${kilo(to)}` : `${from / 1000}–${kilo(to)}`;
}

/** A length in a sentence: `under 40K`, `40K to 80K`, `over 200K`. */
function spokenLength({ from, to }: ReadingCharts["lengths"][number]): string {
  if (to === null) return `over ${kilo(from ?? 0)}`;
  return from ? `${kilo(from)} to ${kilo(to)}` : `under ${kilo(to)}`;
}

/** Whether there is anything to draw. */
const withoutEmpty = (counts: readonly { name: string; books: number[] }[]) =>
  counts.some(({ books }) => sum(books) > 0) ? counts : [];

export function lengthFigure(periods: Periods): Figure<Bar> {
  const counts = withoutEmpty(
    booksByName(periods, ({ lengths }) => lengths.map((one) => ({ name: lengthName(one), books: one.books }))).filter(
      ({ name, books }) => name !== UNKNOWN || sum(books) > 0,
    ),
  );
  const [most, second] = counts
    .filter(({ name }) => name !== UNKNOWN)
    .sort((one, other) => sum(other.books) - sum(one.books));
  const leads = most && sum(most.books) > 0 && sum(most.books) !== sum(second?.books ?? []);
  const span = leads && periods[0].lengths.find((one) => lengthName(one) === most.name);
  // Of two periods together it would be true of neither.
  const note = span && periods.length === 1 ? `Most often ${spokenLength(span)} words.` : "";
  return countsFigure(periods, "Length", "Words", counts, note);
}

export function publishedFigure(periods: Periods): Figure<Bar> {
  const decades = (period: Period) =>
    [...period.published]
      .sort((one, other) => (one.decade ?? 0) - (other.decade ?? 0))
      .flatMap(({ decade, books }) => (decade === null ? [] : [{ name: `${decade}s`, books }]));
  const counts = booksByName(periods, decades).sort(
    (one, other) => Number.parseInt(one.name, 10) - Number.parseInt(other.name, 10),
  );
  const unknown = sum(
    periods.flatMap(({ published }) => published.filter(({ decade }) => decade === null).map(({ books }) => books)),
  );
  const note =
    unknown === 0 ? "By first edition." : `By first edition. ${counted(unknown, "book has", "books have")} no year.`;
  return countsFigure(periods, "When published", "Decade", counts, note);
}

/** The most bars of languages that are drawn. The table has all. */
const MOST_LANGUAGES = 8;

export function languagesFigure(periods: Periods): Figure<Point & { blue: Blue }> {
  const counts = booksByName(periods, ({ languages }) =>
    languages.map(({ language, books }) => ({ name: language === null ? UNKNOWN : languageName(language), books })),
  ).sort((one, other) => sum(other.books) - sum(one.books));
  const { table } = countsFigure(periods, "Languages", "Language", counts, "");
  const [first] = counts.filter(({ name }) => name !== UNKNOWN);
  // Nothing but unknown languages is nothing to draw.
  const drawn = (first ? counts : []).slice(0, MOST_LANGUAGES / periods.length).flatMap(({ name, books }) =>
    books.map((value, at) => ({
      name: periods.length === 2 ? `${name}, ${periods[at]?.name}` : name,
      words: value,
      text: counted(value, "book"),
      blue: (at + 1) as Blue,
    })),
  );
  const all = sum(counts.flatMap(({ books }) => books));
  return {
    title: "Languages",
    drawn,
    note: first ? languageNote(first.name, sum(first.books), all) : "",
    table,
  };
}

function languageNote(name: string, books: number, all: number): string {
  return books === all ? `All in ${name}.` : `${name} leads with ${percent(books, all)}.`;
}

const rating = (value: number) => value.toFixed(1);

/** The years of a period that have an average. */
const ratedYears = ({ ratings }: Period) =>
  ratings.flatMap(({ average, ...year }) => (average == null ? [] : [{ ...year, average }]));

/** The average rating of a period. */
function meanRating(period: Period): string {
  const ratings = ratedYears(period);
  const rated = sum(ratings.map((one) => one.rated));
  return rated === 0 ? "no rating" : rating(sum(ratings.map((one) => one.average * one.rated)) / rated);
}

export function ratingsFigure(periods: Periods): Figure<TrendPoint> {
  const years = periods.flatMap(ratedYears).sort((one, other) => one.year - other.year);
  const [first, last] = [years[0], years.at(-1)];
  let note = "";
  if (first && last && periods.length === 2) note = comparison(periods, meanRating);
  else if (first && last && first !== last)
    note = `From ${rating(first.average)} in ${first.year} to ${rating(last.average)} in ${last.year}.`;
  return {
    title: "Ratings over time",
    drawn: years.map(({ year, average, rated }) => ({
      name: String(year),
      value: average,
      text: `${year}: ${rating(average)} on average of ${counted(rated, "rated book")}`,
    })),
    note,
    table: {
      caption: "Average rating by year",
      head: ["Year", "Average", "Rated"],
      rows: years.map(({ year, average, rated }) => [String(year), rating(average), whole(rated)]),
    },
  };
}

/** How many books of a period were not finished. */
function describeOutcomes({ outcomes }: Period): string {
  const notFinished = sum(outcomes.map((one) => one.notFinished));
  return `${whole(notFinished)} of ${whole(sum(outcomes.map((one) => one.finished)) + notFinished)} not finished`;
}

export function outcomesFigure(periods: Periods): Figure<Bar> {
  const years = periods.flatMap(({ outcomes }) => outcomes).sort((one, other) => one.year - other.year);
  const [finished, notFinished] = [sum(years.map((one) => one.finished)), sum(years.map((one) => one.notFinished))];
  let note = "Every book was finished.";
  if (periods.length === 2) note = comparison(periods, describeOutcomes);
  else if (notFinished > 0)
    note = `${whole(notFinished)} of ${whole(finished + notFinished)} not finished, ${percent(notFinished, finished + notFinished)}.`;
  return {
    title: "Outcomes",
    drawn: years.map((one) => ({
      name: String(one.year),
      value: one.finished,
      // One measure above all bars: shares, as soon as one book was not finished. None above years without such a book.
      text: notFinished === 0 ? whole(one.finished) : one.notFinished > 0 ? `${one.share}%` : "",
      rest: { value: one.notFinished, text: `${one.share}%` },
    })),
    note,
    table: {
      caption: "Finished and not finished",
      head: ["Year", "Finished", "Not finished", "Share"],
      rows: years.map((one) => [String(one.year), whole(one.finished), whole(one.notFinished), `${one.share}%`]),
    },
  };
}
