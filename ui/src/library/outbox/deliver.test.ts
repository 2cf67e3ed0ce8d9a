import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { newKey } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { User } from "../../kit/api/types";
import { NORA } from "../../test-reader";
import { aRead } from "../books/test-read";
import { copyText, keptText, type Mutation, type QueueEntry } from "./mutation";

const BOOK = { id: 7, title: "Dune" };
const DAY = "2026-11-12";
const DAYS = 24 * 60 * 60 * 1_000;
const OTHER: User = { ...NORA, id: 2 };

const place = (page: number): Mutation => ({ kind: "place", book: BOOK, date: DAY, payload: { page } });
const finish: Mutation = {
  kind: "finish",
  book: BOOK,
  change: { status: "completed", dateCompleted: DAY, rating: 8 },
};
const list: Mutation = { kind: "list", item: { title: "Orlando", author: "V. Woolf", wordCount: null, notes: null } };
const quote: Mutation = { kind: "quote", book: BOOK, text: "Fear is the mind-killer.", day: DAY };

interface Sent {
  call: string;
  key: string | null;
  account: string | null;
  body: unknown;
}

/** What reached the server, and how it answers a call: null means that the answer is lost, `proxy` that it is the text of a proxy. */
let sent: Sent[] = [];
let answer: (call: string) => { status: number; body?: object; proxy?: string } | null;
const OURS = { "Shelfwise-Version": "1.0.0" };
/** Milliseconds that an answer takes. */
let takes = 0;

beforeEach(() => {
  localStorage.clear();
  sent = [];
  takes = 0;
  answer = () => ({ status: 200, body: {} });
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.parse("2026-11-12T10:00Z") });
  vi.stubGlobal("fetch", async (url: string, { method, headers, body }: RequestInit) => {
    const call = `${method} ${new URL(url, "http://shelfwise.test").pathname}`;
    const given = new Headers(headers);
    if (method !== "GET") {
      const read = typeof body === "string" ? JSON.parse(body) : null;
      sent.push({ call, key: given.get("Idempotency-Key"), account: given.get("Shelfwise-Account"), body: read });
    }
    if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes));
    const answered = answer(call);
    if (!answered) throw new TypeError("Failed to fetch");
    if (answered.proxy !== undefined) return new Response(answered.proxy, { status: answered.status });
    return new Response(JSON.stringify(answered.body ?? {}), { status: answered.status, headers: OURS });
  });
});

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "locks");
});

/** A tab of the browser in which someone is signed in. All tabs have the same storage. */
async function tab(user: User = NORA) {
  vi.resetModules();
  const [delivery, queue, viewer, query] = await Promise.all([
    import("./deliver"),
    import("./queue"),
    import("../../access/viewer"),
    import("../../kit/query"),
  ]);
  const client = query.createQueryClient(() => undefined);
  viewer.signedIn(client, user);
  const account = user.id;
  return {
    client,
    enqueue: (mutation: Mutation, key?: string) => {
      const made = key ?? newKey();
      return delivery.enqueue({
        client,
        account,
        mutation,
        day: DAY,
        key: made,
        attempt: () => delivery.send(mutation, made),
      });
    },
    /** Sends what waits, and resolves when nothing is under way any more. */
    flush: async () => {
      delivery.startDelivery(client, account);
      await vi.advanceTimersByTimeAsync(10_000);
    },
    follow: () => delivery.followOtherTabs(client, account),
    queue: () => queue.queueOf(account),
    withdraw: (entry: QueueEntry) => delivery.withdraw(client, account, entry),
    signOut: () => viewer.signedOut(client),
    signIn: (next: User) => viewer.signedIn(client, next),
  };
}

/** The locks of a browser, which all tabs share. */
function shareLocks(): void {
  const held = new Map<string, Promise<unknown>>();
  const request = (name: string, task: () => Promise<unknown>) => {
    const next = (held.get(name) ?? Promise.resolve()).then(task);
    held.set(
      name,
      next.catch(() => undefined),
    );
    return next;
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
}

const lost = () => null;
const mutations = () => sent.map(({ call, body }) => [call, body]);

it("a mutation with a connection is sent at once, and nothing is kept", async () => {
  const own = await tab();
  expect(await own.enqueue(place(212))).toEqual({ isPending: false, answer: {} });
  expect(sent).toEqual([{ call: `PUT /api/books/7/days/${DAY}`, key: null, account: "1", body: { page: 212 } }]);
  expect(localStorage.length).toBe(0);
});

it("mutations without an answer wait, and are sent once in their order with the keys of the first attempt", async () => {
  const own = await tab();
  answer = lost;
  for (const mutation of [place(10), list, quote, place(20)])
    expect(await own.enqueue(mutation)).toMatchObject({ isPending: true });
  expect(own.queue().pending.map(({ kind }) => kind)).toEqual(["place", "list", "quote", "place"]);
  const [, first] = own.queue().pending;
  sent = [];
  answer = () => ({ status: 200 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(mutations()).toEqual([
    [`PUT /api/books/7/days/${DAY}`, { page: 10 }],
    ["POST /api/tbr", expect.objectContaining({ title: "Orlando" })],
    ["POST /api/books/7/quotes", { text: "Fear is the mind-killer.", day: DAY }],
    [`PUT /api/books/7/days/${DAY}`, { page: 20 }],
  ]);
  expect(sent[1]?.key).toBe(first?.key);
  expect(own.queue().pending).toEqual([]);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(sent).toHaveLength(4);
});

it.each([
  ["a proxy that cannot reach the server", { status: 502, proxy: "<h1>Bad gateway</h1>" }],
  ["a proxy that refuses", { status: 403, proxy: "<h1>Forbidden</h1>" }],
  ["a page of someone else", { status: 200, proxy: "<h1>Welcome to our hotel</h1>" }],
  ["an empty answer", { status: 200, proxy: "" }],
  ["a busy server", { status: 503, body: { code: "busy" } }],
  ["a server that stops", { status: 503, body: { code: "stopping" } }],
])("a mutation that meets %s waits, and is sent again from time to time", async (_, instead) => {
  const own = await tab();
  answer = () => instead;
  expect(await own.enqueue(list)).toMatchObject({ isPending: true });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.length).toBeGreaterThan(3);
  expect(own.queue()).toMatchObject({ pending: [{ kind: "list" }], rejected: [] });
  answer = () => ({ status: 201 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(own.queue().pending).toEqual([]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

it("a lost answer is asked for again under the same key", async () => {
  const own = await tab();
  answer = lost;
  await own.enqueue(list);
  answer = () => ({ status: 201 });
  await own.flush();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(({ call }) => call)).toEqual(["POST /api/tbr", "POST /api/tbr"]);
  expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

it("a new mutation comes after those that wait", async () => {
  const own = await tab();
  answer = lost;
  await own.enqueue(place(10));
  sent = [];
  answer = () => ({ status: 200 });
  expect(await own.enqueue(place(20))).toEqual({ isPending: false, answer: {} });
  expect(sent.map(({ body }) => body)).toEqual([{ page: 10 }, { page: 20 }]);
});

it("a closed tab loses nothing: another one sends what it had begun", async () => {
  const closed = await tab();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  void closed.enqueue(list);
  await vi.advanceTimersByTimeAsync(100);
  expect(localStorage.length).toBe(1);
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit) => {
    sent.push({ call: `${method} ${url}`, key: null, account: null, body: null });
    return new Response("{}", { headers: OURS });
  });
  const next = await tab();
  await next.flush();
  // The other tab may still be at it.
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent.map(({ call }) => call)).toEqual(["POST /api/tbr"]);
  expect(localStorage.length).toBe(0);
});

it("of two tabs one sends a mutation, with and without locks of the browser", async () => {
  for (const hasLocks of [true, false]) {
    if (hasLocks) shareLocks();
    else Reflect.deleteProperty(navigator, "locks");
    answer = lost;
    const one = await tab();
    const other = await tab();
    await one.enqueue(list);
    await other.enqueue(place(5));
    sent = [];
    takes = 500;
    answer = () => ({ status: 200 });
    await Promise.all([one.flush(), other.flush()]);
    await vi.advanceTimersByTimeAsync(10_000);
    takes = 0;
    expect([one.queue().pending, other.queue().pending]).toEqual([[], []]);
    // Without locks both may send, under one key.
    if (hasLocks) expect(sent.map(({ call }) => call)).toEqual(["POST /api/tbr", `PUT /api/books/7/days/${DAY}`]);
    expect(new Set(sent.flatMap(({ key }) => key ?? [])).size).toBe(1);
  }
});

it("what another tab has sent stays in sight until the page is fetched again", async () => {
  const own = await tab();
  const fetched = vi.fn(async () => ({}));
  const observer = new QueryObserver(own.client, { queryKey: keys.readingDays, queryFn: fetched });
  onTestFinished(observer.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(100);
  onTestFinished(own.follow());
  answer = lost;
  await own.enqueue(place(212));
  const [entry] = own.queue().pending;
  const key = localStorage.key(0) ?? "";
  const oldValue = localStorage.getItem(key);
  // The other tab writes that it sends the mutation, and removes it.
  localStorage.removeItem(key);
  answer = () => ({ status: 200 });
  for (const event of [
    { key, oldValue, newValue: oldValue },
    { key, oldValue, newValue: null },
    { key: "shelfwise.outbox.2.1.a", oldValue, newValue: null },
  ]) {
    window.dispatchEvent(new StorageEvent("storage", event));
  }
  expect(own.queue()).toMatchObject({ pending: [], delivered: [entry], sent: [] });
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(own.queue().delivered).toEqual([]);
});

it("a rejected mutation is kept with its reason, and is not sent again", async () => {
  const own = await tab();
  answer = lost;
  await own.enqueue(place(212));
  await own.enqueue(list);
  sent = [];
  answer = (call) => (call.includes("/books/") ? { status: 404, body: { code: "not_found" } } : { status: 201 });
  await own.flush();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(2);
  expect(own.queue().pending).toEqual([]);
  const [rejected] = own.queue().rejected;
  if (!rejected) throw new Error("nothing was kept");
  expect(`${rejected.rejected} ${keptText(rejected)}`).toBe(
    "“Dune” was deleted elsewhere. Your note of Nov 12 (page 212) was kept here.",
  );
  expect(copyText(rejected)).toBe("Dune, page 212, 2026-11-12");
  await own.flush();
  expect(sent).toHaveLength(2);
});

it("a refusal at once is the form's, and nothing is kept", async () => {
  const own = await tab();
  answer = () => ({ status: 422, body: { error: "This edition has 400 pages.", fields: { page: "No." } } });
  await expect(own.enqueue(place(999))).rejects.toMatchObject({ status: 422 });
  expect(own.queue()).toMatchObject({ pending: [], rejected: [] });
});

it("a session that has ended keeps the mutations for its reader, and another reader neither sees nor sends them", async () => {
  const own = await tab();
  answer = () => ({ status: 401, body: { code: "not_signed_in" } });
  await expect(own.enqueue(list)).rejects.toMatchObject({ status: 401 });
  own.signOut();
  sent = [];
  answer = () => ({ status: 200 });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toEqual([]);
  const other = await tab(OTHER);
  expect(other.queue().pending).toEqual([]);
  await other.flush();
  own.signIn(OTHER);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toEqual([]);
  const again = await tab();
  expect(again.queue().pending).toHaveLength(1);
  await again.flush();
  expect(sent).toMatchObject([{ call: "POST /api/tbr", account: "1" }]);
});

it("an account keeps 200 mutations, and none is sent after 30 days", async () => {
  const own = await tab();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  for (let page = 1; page <= 200; page++) await own.enqueue(place(page));
  await expect(own.enqueue(place(201))).rejects.toMatchObject({
    body: { error: "200 notes are already waiting in this browser. You can note more once they are sent." },
  });
  expect(own.queue().pending).toHaveLength(200);
  vi.restoreAllMocks();
  vi.setSystemTime(Date.now() + 30 * DAYS + 1_000);
  await (await tab()).flush();
  expect(own.queue().pending).toEqual([]);
  expect(own.queue().rejected[0]?.rejected).toBe("“Dune”: this was not sent within 30 days.");
});

it("a book that was finished elsewhere meanwhile stays as it is", async () => {
  const own = await tab();
  const server = { book: aRead({ status: "completed", dateCompleted: "2026-11-01", rating: 5 }) };
  answer = lost;
  await own.enqueue(finish);
  sent = [];
  answer = () => ({ status: 200, body: server });
  await own.flush();
  expect(sent).toEqual([]);
  expect(own.queue().rejected[0]?.rejected).toBe("“Dune” was finished elsewhere.");
});

it("a finish whose answer was lost is not done twice", async () => {
  const own = await tab();
  answer = lost;
  await own.enqueue(finish);
  sent = [];
  answer = () => ({ status: 200, body: { book: aRead({ status: "completed", dateCompleted: DAY, rating: 8 }) } });
  await own.flush();
  expect(sent).toEqual([]);
  expect(own.queue()).toMatchObject({ pending: [], rejected: [] });
});

it("a book that was sent more than a day ago is looked for on the list", async () => {
  const own = await tab();
  answer = lost;
  await own.enqueue(list);
  sent = [];
  vi.setSystemTime(Date.now() + 2 * DAYS);
  answer = () => ({ status: 200, body: { data: [{ title: "Orlando", author: "V. Woolf" }] } });
  await own.flush();
  expect(sent).toEqual([]);
  expect(own.queue().pending).toEqual([]);
});

it("a mutation is taken back while it waits", async () => {
  const own = await tab();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await own.enqueue(place(5));
  const [entry] = own.queue().pending;
  if (!entry) throw new Error("nothing waits");
  expect(await own.withdraw(entry)).toBe("withdrawn");
  expect(await own.withdraw(entry)).toBe("sent");
  expect(localStorage.length).toBe(0);
});

it("a mutation whose answer was lost may be on the server when it is taken back, and the library is fetched again", async () => {
  const own = await tab();
  const library = [...keys.library, "books", 7];
  own.client.setQueryData(library, "as before");
  answer = lost;
  await own.enqueue(place(5));
  const [entry] = own.queue().pending;
  if (!entry) throw new Error("nothing waits");
  expect(await own.withdraw(entry)).toBe("unknown");
  expect(localStorage.length).toBe(0);
  expect(own.client.getQueryState(library)?.isInvalidated).toBe(true);
});

it("a first answer that is under way when a mutation arrives is asked for again", async () => {
  const own = await tab();
  answer = lost;
  await own.enqueue(place(212));
  let asked = 0;
  let finishFirst: (stale: string) => void = () => undefined;
  const observer = new QueryObserver(own.client, {
    queryKey: [...keys.library, "place"],
    queryFn: () => {
      asked += 1;
      return asked === 1 ? new Promise<string>((resolve) => (finishFirst = resolve)) : "page 212";
    },
  });
  const leave = observer.subscribe(() => undefined);
  answer = () => ({ status: 200, body: {} });
  await own.flush();
  finishFirst("no place");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked, observer.getCurrentResult().data]).toEqual([2, "page 212"]);
  expect(own.queue().delivered).toEqual([]);
  leave();
});
