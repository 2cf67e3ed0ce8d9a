import type { Device, DeviceKind, DocumentFinish, ReadDocument } from "../kit/api/types";
import { and, counted, duration, longDate } from "../kit/format";

export const KINDS: readonly { value: DeviceKind; label: string }[] = [
  { value: "koreader", label: "KOReader" },
  { value: "readest", label: "Readest" },
  { value: "other", label: "Another app that syncs with KOReader" },
];

export const kindName = (kind: DeviceKind) => KINDS.find(({ value }) => value === kind)?.label ?? kind;

/** The steps on a device, in four lines. */
export const STEPS: Readonly<Record<DeviceKind, readonly string[]>> = {
  koreader: [
    "Tools, Progress sync, Custom sync server: type the address for progress sync. Then log in with the user name and password that the new device got.",
    "For days and minutes: Reading statistics, Settings, Cloud sync, WebDAV: the address for statistics, the same login, the folder “statistics”.",
    "KOReader sends statistics by hand or by a profile: make one that does “Synchronize book statistics” when a book is closed.",
    "Turn on “Send book titles” in Progress sync. Without it we see only a number.",
  ],
  readest: [
    "Open a book, then the menu, KOReader Sync.",
    "Type the address for progress sync as the server, with the user name and password that the new device got.",
    "Choose “Send and receive”, and the checksum of the file’s content.",
    "Readest sends the place only. Days come when you note them, or from KOReader’s statistics.",
  ],
  other: [
    "Look for “KOReader sync” or “kosync” in its settings.",
    "Type the address for progress sync as the server, and the user name and password that the new device got.",
    "If it asks to register, log in instead: the login exists already.",
    "It sends the place only. Days come when you note them, or from KOReader’s statistics.",
  ],
};

/** The steps where reading comes as a file, or from a server that the operator has named. */
export const OTHER_STEPS: readonly { label: string; steps: readonly string[] }[] = [
  {
    label: "Kobo",
    steps: [
      "With KOReader on it, follow the steps for KOReader.",
      "With Kobo’s own software: plug it into a computer.",
      "Find KoboReader.sqlite in the hidden folder “.kobo”.",
      "Drop it here as often as you like: nothing is counted twice.",
    ],
  },
  {
    label: "Kindle",
    steps: [
      "For quotes: plug it in and drop My Clippings.txt here.",
      "For days and minutes: on Amazon’s site choose “Request your data”, then Kindle.",
      "The zip comes by e-mail after a few days.",
      "Drop it here as it is. It brings days, minutes and finished books.",
    ],
  },
  {
    label: "Audiobookshelf",
    steps: [
      "The person who runs this server names the Audiobookshelf server once.",
      "In Audiobookshelf: Settings, API Keys. Its admin makes one for you.",
      "Paste the key under Account, Connections.",
      "Shelfwise asks every 15 minutes, and writes nothing there.",
    ],
  },
  {
    label: "Calibre",
    steps: [
      "Close Calibre first, so that the file is complete.",
      "Find metadata.db in the folder of your Calibre library.",
      "Drop it here: it brings finish dates, and word counts if you count words there.",
    ],
  },
];

/** What a device has reported, in a few words. `day` names the day of an instant. */
export function deviceFacts(device: Device, day: (instant: string) => string): string {
  const { reports, lastSeenAt, putAt, createdAt } = device;
  if (!lastSeenAt) return `${kindName(device.kind)}. Nothing yet. Made ${day(createdAt)}`;
  const moved = [
    reports.days > 0 && counted(reports.days, "day"),
    reports.books > 0 && counted(reports.books, "book"),
  ].filter((part) => part !== false);
  const facts = [kindName(device.kind), `Last report ${day(lastSeenAt)}`, and(moved)];
  if (!putAt) facts.push("Place only. For days, turn on statistics");
  return facts.filter(Boolean).join(". ");
}

/** What a document is called. */
export function documentName({ title, digest, place }: ReadDocument): string {
  if (title) return title;
  return `A document that KOReader calls ${digest.slice(0, 8)}… (${placeText(place) ?? "no place"})`;
}

const placeText = (place: number | null) => (place === null ? undefined : `${Math.floor(place / 100)}%`);

/** Where a document comes from, and how much of it was read. */
export function documentFacts(document: ReadDocument): string {
  const { authors, device, place, title, days, minutes, peeked } = document;
  const at = title ? placeText(place) : undefined;
  const read = [
    device && `from ${device}`,
    at && `at ${at}`,
    days > 0 && counted(days, "day"),
    minutes > 0 && duration(minutes),
  ].filter(Boolean);
  const facts = read.join(", ");
  return [and(authors), facts.charAt(0).toUpperCase() + facts.slice(1), peeked && "Only looked into"]
    .filter(Boolean)
    .join(". ");
}

/** Why a finish is asked about. */
export function finishFacts({ day, because }: DocumentFinish): string {
  const on = longDate(day);
  if (because === "place") return `The end was reached on ${on}`;
  if (because === "covered") return `Nearly all of it was read; the last pages on ${on}`;
  if (because === "resting") return `Nothing was read since ${on}, close to the end`;
  return `Finished there on ${on}`;
}

/** The documents by what is asked about them. */
export function sorted(documents: readonly ReadDocument[]) {
  return {
    finishes: documents.filter(({ finish }) => finish),
    again: documents.filter(({ again }) => again),
    removed: documents.filter(({ removedThere, ignored }) => removedThere > 0 && !ignored),
    waiting: documents.filter(({ bookId, ignored }) => bookId === null && !ignored),
    ignored: documents.filter(({ ignored }) => ignored),
  };
}
