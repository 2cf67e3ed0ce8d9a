import type { Share, SharePart } from "../kit/api/types";
import { and, dateBefore, longMonth, or } from "../kit/format";

/** What a link is about. */
export type Subject = Pick<Share, "kind" | "period" | "tag">;

type Kind = Share["kind"];

/** What links can show besides titles and authors, in the order of the dialog. */
const PARTS: readonly { part: SharePart; label: string; shown: string; kept: string }[] = [
  { part: "ratings", label: "Ratings", shown: "rating", kept: "ratings" },
  { part: "impressions", label: "Impressions", shown: "impressions", kept: "impressions" },
  { part: "dates", label: "Dates", shown: "day", kept: "days" },
  { part: "covers", label: "Covers", shown: "cover", kept: "covers" },
  { part: "series", label: "Series", shown: "series", kept: "series" },
  { part: "name", label: "Your display name", shown: "", kept: "name" },
];

/** What there is to know of a kind of link. */
interface KindOfLink {
  /** Its name where a reader chooses one. */
  choice: string;
  /** The title of a link, and what it is, for its row in the list. */
  title: (subject: Subject) => string;
  row: string;
  /** Whose titles and authors it shows: "the books finished in 2026". */
  books: (subject: Subject) => string;
  /** Shown of each of them besides title and author, whatever is switched on. */
  always?: string;
  /** The parts that can be switched on; null for all. */
  parts?: readonly SharePart[];
  /** The parts of a new link. */
  preset: readonly SharePart[];
  /** What its reader may fear that it shows. */
  never: readonly string[];
  /** Whether it needs a tag, or may have one. */
  tag?: "needed" | "possible";
  /** What to copy, each with what follows the link's address. */
  addresses: readonly { label: string; path: string }[];
}

const PAGE = [{ label: "Address", path: "" }];

/** Every kind of link, in the order in which they are offered. */
export const KINDS: Readonly<Record<Kind, KindOfLink>> = {
  review: {
    choice: "This year in books",
    title: ({ period }) => `${period ? periodName(period) : "A link"} in review`,
    row: "",
    books: ({ period }) => `the books finished in ${periodName(period ?? "")}`,
    always: "number of words",
    preset: ["dates"],
    never: ["TBR", "email address"],
    addresses: PAGE,
  },
  list: {
    choice: "Your TBR, as a wish list",
    title: ({ tag }) => (tag === null ? "What to give me" : `What to give me: ${tag}`),
    row: "Your TBR",
    books: ({ tag }) => `the books on your TBR${tag === null ? "" : ` with the tag ‘${tag}’`}`,
    parts: ["name"],
    preset: [],
    never: ["notes", "library", "email address"],
    tag: "possible",
    addresses: PAGE,
  },
  tag: {
    choice: "The books with a tag",
    title: ({ tag }) => tag ?? "",
    row: "A tag",
    books: ({ tag }) => `the books with ${tag === null ? "a tag" : `the tag ‘${tag}’`}`,
    preset: [],
    never: ["other books", "TBR", "email address"],
    tag: "needed",
    addresses: PAGE,
  },
  public: {
    choice: "Reading now, and this year",
    title: () => "Reading now",
    row: "A page",
    books: () => "the books you finished this year and of those you are reading, with how far you are",
    always: "number of words",
    preset: ["dates"],
    never: ["TBR", "email address"],
    addresses: [...PAGE, { label: "Picture", path: "/card.svg" }],
  },
  feed: {
    choice: "Finished books, as a feed",
    title: () => "Finished books",
    row: "A feed",
    books: () => "the 50 books you finished last",
    parts: ["ratings", "impressions", "covers", "series", "name"],
    preset: ["dates"],
    never: ["TBR", "email address"],
    addresses: [
      { label: "Atom feed", path: "/feed.atom" },
      { label: "JSON feed", path: "/feed.json" },
    ],
  },
  calendar: {
    choice: "Finished books, as a calendar",
    title: () => "Finished books",
    row: "A calendar",
    books: () => "the books you finished, with the day you began",
    parts: ["ratings", "series", "name"],
    preset: ["dates"],
    never: ["impressions", "covers", "TBR", "email address"],
    addresses: [{ label: "Calendar", path: "/calendar.ics" }],
  },
};

/** The switches of a kind of link. */
export const switches = (kind: Kind) => PARTS.filter(({ part }) => KINDS[kind].parts?.includes(part) ?? true);

/** A year or a month in words: 2026, Nov 2026. */
export const periodName = (period: string) => (period.length === 7 ? longMonth(period) : period);

/** Says exactly what a person with the link sees, and what not. */
export function visible(subject: Subject, parts: readonly SharePart[]): string {
  const { books, always, never } = KINDS[subject.kind];
  const shown = PARTS.filter(({ part, shown }) => shown && parts.includes(part)).map(({ shown }) => shown);
  const kept = switches(subject.kind)
    .filter(({ part }) => !parts.includes(part))
    .map(({ kept }) => kept);
  const facts = and(["title", "author", ...(always ? [always] : []), ...shown]);
  const name = parts.includes("name") ? ", and your display name" : "";
  return `Anyone with this link sees: ${facts} of ${books(subject)}${name}. Not your ${or([...kept, ...never])}.`;
}

/** What a link is and shows, for its row in the list: "A feed, with ratings and days". */
export function shownParts({ kind, parts }: Pick<Share, "kind" | "parts">): string {
  const names = PARTS.filter(({ part }) => parts.includes(part)).map(({ kept }) =>
    kept === "name" ? "your name" : kept,
  );
  const { row } = KINDS[kind];
  const shown = names.length === 0 ? "titles and authors" : `with ${and(names)}`;
  return row ? `${row}, ${shown}` : shown.replace(/^./, (first) => first.toUpperCase());
}

/** The title of a link. */
export const shareName = (subject: Subject) => KINDS[subject.kind].title(subject);

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
