/** The acts that this browser keeps for a reader. */
import { actKey, actKeys, actsChanged } from "../../access/outbox";
import type { Act } from "./acts";

/** The most acts of an account, refused ones included. */
export const MOST_ACTS = 200;
/** Milliseconds after which an act is not sent any more. */
export const LONGEST_WAIT = 30 * 24 * 60 * 60 * 1_000;

/** The acts of an account, each list oldest first. */
export interface Acts {
  /** Those that are to be sent. */
  waiting: readonly Act[];
  /** Those that the server refused, or that waited too long. */
  refused: readonly Act[];
  /** Those that the server has, while the page does not show its new answers yet. */
  arriving: readonly Act[];
  /** Those that this tab sent while the reader looked. */
  sent: readonly Act[];
}

const NONE: Acts = { waiting: [], refused: [], arriving: [], sent: [] };
let arriving: { account: number; act: Act }[] = [];
let sent: { account: number; act: Act }[] = [];
let last = { account: 0, raw: "", acts: NONE };

/** The key under which an act is stored. */
const keyOf = (account: number, { at, key }: Act) => actKey(account, at, key);

/** All acts of an account that this browser stores, oldest first. */
export function stored(account: number): Act[] {
  return actKeys(account).flatMap((key) => parsed(localStorage.getItem(key)) ?? []);
}

function parsed(item: string | null): Act | null {
  try {
    const act: unknown = JSON.parse(item ?? "null");
    return isAct(act) ? act : null;
  } catch {
    return null;
  }
}

function isAct(stored: unknown): stored is Act {
  return typeof stored === "object" && stored !== null && "kind" in stored && "key" in stored && "at" in stored;
}

/** The acts of an account now; the same object while nothing has changed. */
export function actsOf(account: number): Acts {
  const all = stored(account);
  const ofAccount = (list: typeof arriving) => list.filter((one) => one.account === account).map(({ act }) => act);
  const own = { arriving: ofAccount(arriving), sent: ofAccount(sent) };
  const now = Date.now();
  const shown = all.filter(({ refused, heldUntil }) => refused !== undefined || (heldUntil ?? 0) <= now);
  const raw = JSON.stringify([shown, own]);
  if (last.account !== account || last.raw !== raw) {
    const refused = shown.filter((act) => act.refused !== undefined);
    const waiting = shown.filter((act) => act.refused === undefined);
    last = { account, raw, acts: { waiting, refused, ...own } };
  }
  return last.acts;
}

/** The acts that are still to be sent, those that a tab is sending included. */
export function unsent(account: number): Act[] {
  return stored(account).filter(({ refused }) => refused === undefined);
}

/** When an act of now happened: later than every other act of the account, so that the order stays. */
export function nextTime(account: number): number {
  return Math.max(Date.now(), (stored(account).at(-1)?.at ?? 0) + 1);
}

/** Whether there is room for another act. */
export function hasRoom(account: number): boolean {
  return actKeys(account).length < MOST_ACTS;
}

/** Stores an act, or a changed one. Returns false when the browser refuses to store it. */
export function put(account: number, act: Act): boolean {
  try {
    localStorage.setItem(keyOf(account, act), JSON.stringify(act));
  } catch {
    return false;
  }
  actsChanged();
  return true;
}

/** Changes a stored act. One that was taken back meanwhile stays away. */
export function change(account: number, act: Act, changed: Partial<Act>): void {
  if (isStored(account, act)) put(account, { ...act, ...changed } as Act);
}

/** Whether an act is still stored. */
export function isStored(account: number, act: Act): boolean {
  return localStorage.getItem(keyOf(account, act)) !== null;
}

/** Removes an act. */
export function drop(account: number, act: Act): void {
  localStorage.removeItem(keyOf(account, act));
  actsChanged();
}

/** Removes an act that the server has, and shows it until `shown` is called. */
export function arrived(account: number, act: Act): void {
  arriving = [...arriving, { account, act }];
  sent = [...sent, { account, act }];
  drop(account, act);
}

/**
 * Shows an act that another tab has removed, because it was sent or taken back there, until `shown` is called. Returns false when the
 * change of the storage is something else, or was never shown here.
 */
export function leftElsewhere(account: number, { key, oldValue, newValue }: StorageEvent): boolean {
  const act = newValue === null ? parsed(oldValue) : null;
  if (!act || keyOf(account, act) !== key || act.refused !== undefined || (act.heldUntil ?? 0) > Date.now())
    return false;
  arriving = [...arriving, { account, act }];
  actsChanged();
  return true;
}

/** Says that the page shows what the server has. */
export function shown(account: number): void {
  arriving = arriving.filter((one) => one.account !== account);
  actsChanged();
}

/** Removes what was sent, because the page that showed it was left. */
export function forgetSent(): void {
  sent = [];
  actsChanged();
}
