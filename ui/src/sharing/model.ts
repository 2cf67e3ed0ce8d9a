import type { Share, SharePart } from "../kit/api/types";
import { and, dateBefore, longMonth, or } from "../kit/format";

/** What a review's link can show besides titles and authors, in the order of the dialog. */
export const PARTS: readonly { part: SharePart; label: string; shown: string; kept: string }[] = [
  { part: "ratings", label: "Ratings", shown: "rating", kept: "ratings" },
  { part: "impressions", label: "Impressions", shown: "impressions", kept: "impressions" },
  { part: "dates", label: "Dates", shown: "day", kept: "days" },
  { part: "covers", label: "Covers", shown: "cover", kept: "covers" },
  { part: "series", label: "Series", shown: "series", kept: "series" },
  { part: "name", label: "Your display name", shown: "", kept: "name" },
];

/** A year or a month in words: 2026, Nov 2026. */
export const periodName = (period: string) => (period.length === 7 ? longMonth(period) : period);

/** Says exactly what a person with the link sees, and what not. */
export function visible(period: string, parts: readonly SharePart[]): string {
  const shown = PARTS.filter(({ part, shown }) => shown && parts.includes(part)).map(({ shown }) => shown);
  const kept = PARTS.filter(({ part }) => !parts.includes(part)).map(({ kept }) => kept);
  const books = `${and(["title", "author", "number of words", ...shown])} of the books finished in ${periodName(period)}`;
  const name = parts.includes("name") ? ", and your display name" : "";
  return `Anyone with this link sees: ${books}${name}. Not your ${or([...kept, "list", "email address"])}.`;
}

/** What a link shows, for its row in the list: "With ratings and days". */
export function shownParts(parts: readonly SharePart[]): string {
  const names = PARTS.filter(({ part }) => parts.includes(part)).map(({ kept }) =>
    kept === "name" ? "your name" : kept,
  );
  return names.length === 0 ? "Titles and authors" : `With ${and(names)}`;
}

/** The title of a link. The server makes no other kind so far. */
export const shareName = ({ period }: Pick<Share, "period">) => `${period ? periodName(period) : "A link"} in review`;

export const isEnded = ({ expiresAt }: Pick<Share, "expiresAt">, now = new Date()) =>
  expiresAt !== null && new Date(expiresAt) <= now;

export type End = "never" | "week" | "month" | "day";

/** The last day of a link that is made today; `day` is that of the choice "On a day". */
export function lastDay(end: End, today: string, day: string): string | null {
  if (end === "never") return null;
  if (end === "day") return day;
  return dateBefore(today, { days: end === "week" ? -7 : -30 });
}

/** The last second of a day in a time zone, as an instant. */
export function endOfDay(day: string, timeZone?: string): string {
  const wanted = Date.parse(`${day}T23:59:59Z`);
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const shownAt = (instant: number) => {
    const part = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, value]));
    return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`);
  };
  // The second look is for a day on which the clocks change.
  let instant = wanted;
  for (let look = 0; look < 2; look++) instant += wanted - shownAt(instant);
  return new Date(instant).toISOString();
}
