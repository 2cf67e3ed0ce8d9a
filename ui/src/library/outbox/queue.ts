/** The mutations that this browser keeps for a reader. */
import { entryKey, entryKeys, outboxChanged } from "../../access/outbox";
import type { QueueEntry } from "./mutation";

/** The most mutations of an account, rejected ones included. */
export const MOST_ENTRIES = 200;
/** Milliseconds after which a mutation is not sent any more. */
export const LONGEST_WAIT = 30 * 24 * 60 * 60 * 1_000;

/** The mutations of an account, each list oldest first. */
export interface Queue {
  /** Those that are to be sent. */
  pending: readonly QueueEntry[];
  /** Those that the server rejected, or that waited too long. */
  rejected: readonly QueueEntry[];
  /** Those that the server has, while the page does not show its new answers yet. */
  delivered: readonly QueueEntry[];
  /** Those that this tab sent while the reader looked. */
  sent: readonly QueueEntry[];
}

const NONE: Queue = { pending: [], rejected: [], delivered: [], sent: [] };
let delivered: { account: number; entry: QueueEntry }[] = [];
let sent: { account: number; entry: QueueEntry }[] = [];
let last = { account: 0, raw: "", queue: NONE };

/** The key under which a mutation is stored. */
const keyOf = (account: number, { at, key }: QueueEntry) => entryKey(account, at, key);

/** All mutations of an account that this browser keeps, oldest first. */
export function entriesOf(account: number): QueueEntry[] {
  return entryKeys(account).flatMap((key) => parsed(localStorage.getItem(key)) ?? []);
}

function parsed(item: string | null): QueueEntry | null {
  try {
    const entry: unknown = JSON.parse(item ?? "null");
    return isEntry(entry) ? entry : null;
  } catch {
    return null;
  }
}

function isEntry(stored: unknown): stored is QueueEntry {
  return typeof stored === "object" && stored !== null && "kind" in stored && "key" in stored && "at" in stored;
}

/** The mutations of an account now; the same object while nothing has changed. */
export function queueOf(account: number): Queue {
  const all = entriesOf(account);
  const ofAccount = (list: typeof delivered) => list.filter((one) => one.account === account).map(({ entry }) => entry);
  const own = { delivered: ofAccount(delivered), sent: ofAccount(sent) };
  const now = Date.now();
  const shown = all.filter(({ rejected, claimedUntil }) => rejected !== undefined || (claimedUntil ?? 0) <= now);
  const raw = JSON.stringify([shown, own]);
  if (last.account !== account || last.raw !== raw) {
    const rejected = shown.filter((entry) => entry.rejected !== undefined);
    const pending = shown.filter((entry) => entry.rejected === undefined);
    last = { account, raw, queue: { pending, rejected, ...own } };
  }
  return last.queue;
}

/** The mutations that are still to be sent, those that a tab is sending included. */
export function undelivered(account: number): QueueEntry[] {
  return entriesOf(account).filter(({ rejected }) => rejected === undefined);
}

/** When a mutation of now happened: later than every other mutation of the account, so that the order stays. */
export function nextTime(account: number): number {
  return Math.max(Date.now(), (entriesOf(account).at(-1)?.at ?? 0) + 1);
}

/** Whether there is room for another mutation. */
export function hasRoom(account: number): boolean {
  return entryKeys(account).length < MOST_ENTRIES;
}

/** Stores a mutation, or a changed one. Returns false when the browser refuses to store it. */
export function store(account: number, entry: QueueEntry): boolean {
  try {
    localStorage.setItem(keyOf(account, entry), JSON.stringify(entry));
  } catch {
    return false;
  }
  outboxChanged();
  return true;
}

/** Changes a stored mutation. One that was taken back meanwhile stays away. */
export function change(account: number, entry: QueueEntry, changed: Partial<QueueEntry>): void {
  if (isQueued(account, entry)) store(account, { ...entry, ...changed } as QueueEntry);
}

/** Whether a mutation is still stored. */
export function isQueued(account: number, entry: QueueEntry): boolean {
  return localStorage.getItem(keyOf(account, entry)) !== null;
}

/** Removes a mutation. */
export function remove(account: number, entry: QueueEntry): void {
  localStorage.removeItem(keyOf(account, entry));
  outboxChanged();
}

/** Removes a mutation that the server has, and shows it until `markShown` is called. */
export function markDelivered(account: number, entry: QueueEntry): void {
  delivered = [...delivered, { account, entry }];
  sent = [...sent, { account, entry }];
  remove(account, entry);
}

/**
 * Shows a mutation that another tab has removed, because it was sent or taken back there, until `markShown` is called. Returns false
 * when the change of the storage is something else, or was never shown here.
 */
export function removedElsewhere(account: number, { key, oldValue, newValue }: StorageEvent): boolean {
  const entry = newValue === null ? parsed(oldValue) : null;
  if (!entry || keyOf(account, entry) !== key || entry.rejected !== undefined || (entry.claimedUntil ?? 0) > Date.now())
    return false;
  delivered = [...delivered, { account, entry }];
  outboxChanged();
  return true;
}

/** Says that the page shows what the server has. */
export function markShown(account: number): void {
  delivered = delivered.filter((one) => one.account !== account);
  outboxChanged();
}

/** Removes what was sent, because the page that showed it was left. */
export function forgetSent(): void {
  sent = [];
  outboxChanged();
}
