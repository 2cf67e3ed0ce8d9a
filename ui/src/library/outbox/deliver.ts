/** Sends the mutations of the outbox: in their order, one tab at a time, each until the server has answered it. */

import type { QueryClient } from "@tanstack/react-query";
import { checkSession, shownAccount } from "../../access/viewer";
import { ApiError, api, newKey } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { BASE } from "../../kit/base";
import { type Mutation, type QueueEntry, rejectionOf, titleOf } from "./mutation";
import {
  change,
  entriesOf,
  hasRoom,
  isQueued,
  LONGEST_WAIT,
  MOST_ENTRIES,
  markDelivered,
  markShown,
  nextTime,
  remove,
  removedElsewhere,
  store,
  undelivered,
} from "./queue";

/** Milliseconds after which a call of the outbox counts as lost. */
const TIME_OUT = 10_000;
/** Milliseconds for which a new mutation belongs to the tab in which the reader acted. */
const CLAIM = 30_000;
/** Milliseconds after which the server may have forgotten an `Idempotency-Key`: an hour less than a day. */
const REMEMBERED = 23 * 60 * 60 * 1_000;
/** Milliseconds between attempts to send: doubled from the first to the last. */
const FIRST_WAIT = 5_000;
const LAST_WAIT = 60_000;

/** What became of a mutation: the answer, or that it waits for a connection. */
export type Result<T> = { isPending: false; answer: T } | { isPending: true; entry: QueueEntry };

/**
 * Runs `task` while no other tab of the account sends. A browser without locks, such as one that reached the server by plain
 * HTTP, has one sender per tab; what two tabs then send twice has the same key, or has the same effect.
 */
let tail: Promise<unknown> = Promise.resolve();
function exclusively<T>(account: number, task: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`shelfwise-outbox${BASE}-${account}`, task);
  const next = tail.then(task);
  tail = next.catch(() => undefined);
  return next;
}

interface EnqueueOptions<T> {
  client: QueryClient;
  account: number;
  mutation: Mutation;
  /** The reader's day, yyyy-MM-dd. */
  day: string;
  /** The `Idempotency-Key`, where one was made before. */
  key?: string;
  /** Sends it, where that is more than the call for the mutation. */
  attempt: (key: string) => Promise<T>;
}

/**
 * Sends a mutation now, or queues it until there is a connection. It is stored before it is sent, so that a closed tab loses
 * nothing, and it comes after what waits already.
 *
 * @throws ApiError when the server refuses it: nothing is kept then. When the session has ended, it is kept.
 */
export async function enqueue<T>({
  client,
  account,
  mutation,
  day,
  key = newKey(),
  attempt,
}: EnqueueOptions<T>): Promise<Result<T>> {
  if (!hasRoom(account)) throw full();
  const entry = { ...mutation, key, at: nextTime(account), day, claimedUntil: Date.now() + CLAIM } as QueueEntry;
  // A browser that stores nothing has no outbox.
  if (!store(account, entry)) return { isPending: false, answer: await attempt(key) };
  const wait = (): Result<T> => {
    change(account, entry, { claimedUntil: undefined });
    startDelivery(client, account, false);
    return { isPending: true, entry };
  };
  if (!navigator.onLine) return wait();
  return exclusively(account, async () => {
    await deliverPending(client, account);
    if (undelivered(account).some(({ key }) => key !== entry.key) || shownAccount() !== account) return wait();
    entry.sentAt = Date.now();
    change(account, entry, { sentAt: entry.sentAt });
    try {
      const answer = await attempt(key);
      remove(account, entry);
      return { isPending: false, answer };
    } catch (error) {
      if (isEnded(error)) {
        wait();
        throw error;
      }
      if (isLost(error)) return wait();
      remove(account, entry);
      throw error;
    }
  });
}

function full(): ApiError {
  const error = `${MOST_ENTRIES} notes are already waiting in this browser. You can note more once they are sent.`;
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

/** What became of a mutation that was taken back. `unknown`: it was sent before, and the answer was lost. */
export type Withdrawal = "withdrawn" | "unknown" | "sent";

/** Takes a mutation back. The page is fetched again when the server may have it. */
export function withdraw(client: QueryClient, account: number, entry: QueueEntry): Promise<Withdrawal> {
  return exclusively(account, async () => {
    const pending = entriesOf(account).find(({ key }) => key === entry.key);
    remove(account, entry);
    if (!pending) return "sent";
    if (pending.sentAt === undefined) return "withdrawn";
    client.invalidateQueries({ queryKey: keys.library });
    return "unknown";
  });
}

/** What became of a mutation that was sent again. */
type Outcome = "delivered" | "later" | "ended" | { rejected: string };

/** Sends what waits, the oldest first, until one finds no answer. Only the tab that holds the lock calls it. */
async function deliverPending(client: QueryClient, account: number): Promise<void> {
  let sent = false;
  for (const entry of undelivered(account)) {
    if ((entry.claimedUntil ?? 0) > Date.now() || !isQueued(account, entry)) continue;
    if (entry.at + LONGEST_WAIT < Date.now()) {
      change(account, entry, { rejected: `“${titleOf(entry)}”: this was not sent within 30 days.` });
      continue;
    }
    // Another account may have signed in since: the call would be made in its name.
    if (shownAccount() !== account) break;
    const before = entry.sentAt;
    if (before === undefined) change(account, entry, { sentAt: Date.now() });
    const outcome = await outcomeOf(entry, before);
    if (outcome === "later") break;
    if (outcome === "ended") {
      stop();
      checkSession(client);
      break;
    }
    if (outcome === "delivered") {
      markDelivered(account, entry);
      sent = true;
    } else {
      change(account, { ...entry, sentAt: before ?? Date.now() }, outcome);
    }
  }
  if (sent) refetch(client, account);
}

/** Fetches what the page shows, because mutations have reached the server. */
function refetch(client: QueryClient, account: number): void {
  // A first answer that is under way may be older than what was sent, and would not be asked for again.
  const cancelled = client.cancelQueries({ queryKey: keys.library });
  const refetched = cancelled.then(() => client.invalidateQueries({ queryKey: keys.library }));
  refetched.finally(() => markShown(account));
}

/** Milliseconds after the last mutation of another tab until the page is fetched again. */
const SETTLED = 300;

/** Fetches the page again when another tab has sent what this one shows. Returns a function that ends this. */
export function followOtherTabs(client: QueryClient, account: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (event: StorageEvent) => {
    if (!removedElsewhere(account, event)) return;
    clearTimeout(timer);
    timer = setTimeout(() => refetch(client, account), SETTLED);
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

async function outcomeOf(entry: QueueEntry, before: number | undefined): Promise<Outcome> {
  try {
    return await sendAgain(entry, before);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isEnded(error)) return "ended";
    const isLater = error.status === 0 || error.status >= 500 || [408, 412, 425, 429].includes(error.status);
    return isLater ? "later" : { rejected: rejectionOf(entry, error) };
  }
}

/** Sends a mutation for which no answer is known. `before` says when it was sent before. */
async function sendAgain(entry: QueueEntry, before: number | undefined): Promise<Outcome> {
  if (entry.kind === "finish") return finishAgain(entry, before);
  // The key is good for a day. After that the list itself says whether the book is on it.
  if (entry.kind === "list" && before !== undefined && before + REMEMBERED < Date.now() && (await isListed(entry))) {
    return "delivered";
  }
  await send(entry, entry.key);
  return "delivered";
}

/** Finishes a book, unless that was done elsewhere meanwhile. */
async function finishAgain(entry: QueueEntry & { kind: "finish" }, before: number | undefined): Promise<Outcome> {
  const path = { id: entry.book.id };
  const { answer, etag } = await api.getTagged("/api/books/{id}", { path, timeOut: TIME_OUT });
  const { status, rating, dateCompleted } = answer.book;
  if (status === "in-progress") {
    await api.patch("/api/books/{id}", entry.change, { path, ifMatch: etag, timeOut: TIME_OUT });
    return "delivered";
  }
  const isSame =
    status === "completed" &&
    rating === (entry.change.rating ?? null) &&
    (before !== undefined || dateCompleted === entry.change.dateCompleted);
  if (isSame) return "delivered";
  const where = status === "did-not-finish" ? "marked as not finished" : "finished";
  return { rejected: `“${entry.book.title}” was ${where} elsewhere.` };
}

async function isListed({ item }: QueueEntry & { kind: "list" }): Promise<boolean> {
  const { data } = await api.get("/api/tbr", { timeOut: TIME_OUT });
  return data.some(({ title, author }) => title === item.title && author === item.author);
}

/** Sends a mutation. */
export async function send(mutation: Mutation, key: string): Promise<unknown> {
  const once = { once: key, timeOut: TIME_OUT };
  switch (mutation.kind) {
    case "place": {
      const path = { id: mutation.book.id, day: mutation.date };
      return api.put("/api/books/{id}/days/{day}", mutation.payload, { path, timeOut: TIME_OUT });
    }
    case "finish":
      return api.patch("/api/books/{id}", mutation.change, { path: { id: mutation.book.id }, timeOut: TIME_OUT });
    case "list":
      return api.post("/api/tbr", mutation.item, once);
    case "quote": {
      const { book, text, place, note, day } = mutation;
      return api.post("/api/books/{id}/quotes", { text, place, note, day }, { path: { id: book.id }, ...once });
    }
  }
}

let delivery: { account: number; end: () => void } | null = null;

function stop(): void {
  delivery?.end();
  delivery = null;
}

/**
 * Sends what waits as soon as there is a connection: `atOnce`, whenever the browser says so or the page is looked at again, and
 * from time to time. It ends when nothing waits any more, and when the session has ended.
 */
export function startDelivery(client: QueryClient, account: number, atOnce = true): void {
  if (delivery?.account === account) return;
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
      if (navigator.onLine) await exclusively(account, () => deliverPending(client, account));
    } finally {
      if (!isOver && undelivered(account).length > 0) later();
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
  delivery = { account, end };
  if (atOnce) run();
  else later();
}
