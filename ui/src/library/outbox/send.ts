/** Sends the acts of the outbox: in their order, one tab at a time, each until the server has answered it. */
import type { QueryClient } from "@tanstack/react-query";
import { checkSession, shownAccount } from "../../access/viewer";
import { ApiError, api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { type Act, type Deed, refusalOf, titleOf } from "./acts";
import {
  arrived,
  change,
  drop,
  hasRoom,
  isStored,
  LONGEST_WAIT,
  leftElsewhere,
  MOST_ACTS,
  nextTime,
  put,
  shown,
  stored,
  unsent,
} from "./queue";

/** Milliseconds after which a call of the outbox counts as lost. */
const TIME_OUT = 10_000;
/** Milliseconds for which a new act belongs to the tab in which the reader acted. */
const HELD = 30_000;
/** Milliseconds after which the server may have forgotten an `Idempotency-Key`: an hour less than a day. */
const REMEMBERED = 23 * 60 * 60 * 1_000;
/** Milliseconds between attempts to send: doubled from the first to the last. */
const FIRST_WAIT = 5_000;
const LAST_WAIT = 60_000;

/** What became of an act: the answer, or that it waits for a connection. */
export type Done<T> = { waits: false; answer: T } | { waits: true };

/** A new `Idempotency-Key`. */
export function newKey(): string {
  // randomUUID exists in secure contexts only; a server in a home network is often reached by plain HTTP.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Runs `task` while no other tab of the account sends. A browser without locks, such as one that reached the server by plain
 * HTTP, has one sender per tab; what two tabs then send twice has the same key, or has the same effect.
 */
let tail: Promise<unknown> = Promise.resolve();
function alone<T>(account: number, task: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`shelfwise-outbox-${account}`, task);
  const next = tail.then(task);
  tail = next.catch(() => undefined);
  return next;
}

interface Doing<T> {
  client: QueryClient;
  account: number;
  deed: Deed;
  /** The reader's day, yyyy-MM-dd. */
  day: string;
  /** The `Idempotency-Key`, where one was made before. */
  key?: string;
  /** Sends it, where that is more than the call for the deed. */
  attempt: (key: string) => Promise<T>;
}

/**
 * Sends a deed now, or keeps it as an act until there is a connection. It is stored before it is sent, so that a closed tab loses nothing,
 * and it comes after what waits already.
 *
 * @throws ApiError when the server refuses it: nothing is kept then. When the session has ended, it is kept.
 */
export async function perform<T>({ client, account, deed, day, key = newKey(), attempt }: Doing<T>): Promise<Done<T>> {
  if (!hasRoom(account)) throw full();
  const act = { ...deed, key, at: nextTime(account), day, heldUntil: Date.now() + HELD } as Act;
  // A browser that stores nothing has no outbox.
  if (!put(account, act)) return { waits: false, answer: await attempt(key) };
  const wait = (): Done<T> => {
    change(account, act, { heldUntil: undefined });
    watch(client, account, false);
    return { waits: true };
  };
  if (!navigator.onLine) return wait();
  return alone(account, async () => {
    await sendWaiting(client, account);
    if (unsent(account).some(({ key }) => key !== act.key) || shownAccount() !== account) return wait();
    act.sentAt = Date.now();
    change(account, act, { sentAt: act.sentAt });
    try {
      const answer = await attempt(key);
      drop(account, act);
      return { waits: false, answer };
    } catch (error) {
      if (isEnded(error)) {
        wait();
        throw error;
      }
      if (isLost(error)) return wait();
      drop(account, act);
      throw error;
    }
  });
}

function full(): ApiError {
  const error = `${MOST_ACTS} notes are already waiting in this browser. You can note more once they are sent.`;
  return new ApiError(409, JSON.stringify({ error }));
}

/**
 * Whether a call had no answer, or met a server that is busy or stopping and has written nothing. An answer that reports a failure is
 * shown at once, and the form keeps what was typed.
 */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && ["unreachable", "busy", "stopping"].includes(error.code);
}

/** Whether the session is over, or is another account's. */
function isEnded(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.code === "other_account");
}

/** What became of an act that was taken back. `unknown`: it was sent before, and the answer was lost. */
export type TakenBack = "taken" | "unknown" | "sent";

/** Takes an act back. The page is fetched again when the server may have it. */
export function takeBack(client: QueryClient, account: number, act: Act): Promise<TakenBack> {
  return alone(account, async () => {
    const waiting = stored(account).find(({ key }) => key === act.key);
    drop(account, act);
    if (!waiting) return "sent";
    if (waiting.sentAt === undefined) return "taken";
    client.invalidateQueries({ queryKey: keys.library });
    return "unknown";
  });
}

/** What became of an act that was sent again. */
type Outcome = "arrived" | "later" | "ended" | { refused: string };

/** Sends what waits, the oldest first, until one finds no answer. Only the tab that holds the lock calls it. */
async function sendWaiting(client: QueryClient, account: number): Promise<void> {
  let sent = false;
  for (const act of unsent(account)) {
    if ((act.heldUntil ?? 0) > Date.now() || !isStored(account, act)) continue;
    if (act.at + LONGEST_WAIT < Date.now()) {
      change(account, act, { refused: `“${titleOf(act)}”: this was not sent within 30 days.` });
      continue;
    }
    // Another account may have signed in since: the call would be made in its name.
    if (shownAccount() !== account) break;
    const before = act.sentAt;
    if (before === undefined) change(account, act, { sentAt: Date.now() });
    const outcome = await outcomeOf(act, before);
    if (outcome === "later") break;
    if (outcome === "ended") {
      stop();
      checkSession(client);
      break;
    }
    if (outcome === "arrived") {
      arrived(account, act);
      sent = true;
    } else {
      change(account, { ...act, sentAt: before ?? Date.now() }, outcome);
    }
  }
  if (sent) showSent(client, account);
}

/** Fetches what the page shows, because acts have reached the server. */
function showSent(client: QueryClient, account: number): void {
  // A first answer that is under way may be older than what was sent, and would not be asked for again.
  const cancelled = client.cancelQueries({ queryKey: keys.library });
  const refetched = cancelled.then(() => client.invalidateQueries({ queryKey: keys.library }));
  refetched.finally(() => shown(account));
}

/** Milliseconds after the last act of another tab until the page is fetched again. */
const SETTLED = 300;

/** Fetches the page again when another tab has sent what this one shows. Returns a function that ends this. */
export function followOtherTabs(client: QueryClient, account: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (event: StorageEvent) => {
    if (!leftElsewhere(account, event)) return;
    clearTimeout(timer);
    timer = setTimeout(() => showSent(client, account), SETTLED);
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

async function outcomeOf(act: Act, before: number | undefined): Promise<Outcome> {
  try {
    return await sendAgain(act, before);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isEnded(error)) return "ended";
    const isLater = error.status === 0 || error.status >= 500 || [408, 412, 425, 429].includes(error.status);
    return isLater ? "later" : { refused: refusalOf(act, error) };
  }
}

/** Sends an act for which no answer is known. `before` says when it was sent before. */
async function sendAgain(act: Act, before: number | undefined): Promise<Outcome> {
  if (act.kind === "finish") return finishAgain(act, before);
  // The key is good for a day. After that the list itself says whether the book is on it.
  if (act.kind === "list" && before !== undefined && before + REMEMBERED < Date.now() && (await isListed(act))) {
    return "arrived";
  }
  await send(act, act.key);
  return "arrived";
}

/** Finishes a book, unless that was done elsewhere meanwhile. */
async function finishAgain(act: Act & { kind: "finish" }, before: number | undefined): Promise<Outcome> {
  const path = { id: act.book.id };
  const { answer, etag } = await api.getTagged("/api/books/{id}", { path, timeOut: TIME_OUT });
  const { status, rating, dateCompleted } = answer.book;
  if (status === "in-progress") {
    await api.patch("/api/books/{id}", act.change, { path, ifMatch: etag, timeOut: TIME_OUT });
    return "arrived";
  }
  const isSame =
    status === "completed" &&
    rating === (act.change.rating ?? null) &&
    (before !== undefined || dateCompleted === act.change.dateCompleted);
  if (isSame) return "arrived";
  const where = status === "did-not-finish" ? "marked as not finished" : "finished";
  return { refused: `“${act.book.title}” was ${where} elsewhere.` };
}

async function isListed({ item }: Act & { kind: "list" }): Promise<boolean> {
  const { data } = await api.get("/api/tbr", { timeOut: TIME_OUT });
  return data.some(({ title, author }) => title === item.title && author === item.author);
}

/** Sends a deed. */
export async function send(deed: Deed, key: string): Promise<unknown> {
  const once = { once: key, timeOut: TIME_OUT };
  switch (deed.kind) {
    case "place": {
      const path = { id: deed.book.id, day: deed.date };
      return api.put("/api/books/{id}/days/{day}", deed.payload, { path, timeOut: TIME_OUT });
    }
    case "finish":
      return api.patch("/api/books/{id}", deed.change, { path: { id: deed.book.id }, timeOut: TIME_OUT });
    case "list":
      return api.post("/api/tbr", deed.item, once);
    case "quote":
      return api.post("/api/books/{id}/quotes", { text: deed.text }, { path: { id: deed.book.id }, ...once });
  }
}

let watched: { account: number; end: () => void } | null = null;

function stop(): void {
  watched?.end();
  watched = null;
}

/**
 * Sends what waits as soon as there is a connection: `atOnce`, whenever the browser says so or the page is looked at again, and
 * from time to time. It ends when nothing waits any more, and when the session has ended.
 */
export function watch(client: QueryClient, account: number, atOnce = true): void {
  if (watched?.account === account) return;
  stop();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT;
  let isOver = false;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
    wait = Math.min(2 * wait, LAST_WAIT);
  };
  const run = async () => {
    clearTimeout(timer);
    try {
      if (navigator.onLine) await alone(account, () => sendWaiting(client, account));
    } finally {
      if (!isOver && unsent(account).length > 0) later();
      else if (!isOver) stop();
    }
  };
  const soon = () => {
    wait = FIRST_WAIT;
    run();
  };
  const look = () => document.visibilityState === "visible" && soon();
  window.addEventListener("online", soon);
  document.addEventListener("visibilitychange", look);
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    window.removeEventListener("online", soon);
    document.removeEventListener("visibilitychange", look);
  };
  watched = { account, end };
  if (atOnce) run();
  else later();
}
