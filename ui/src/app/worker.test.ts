// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const SOURCE = readFileSync(join(import.meta.dirname, "../../public/sw.js"), "utf8");
const ORIGIN = "https://books.example.org";
const MARK = "X-Shelfwise-Last-Seen";
/** Milliseconds that the worker waits for the network, at first and while it hangs. */
const PATIENCE = 4_000;
const NEXT_PATIENCE = 1_000;

/** The worker with a network and caches that the test controls. `base`: the path below which the server serves everything. */
function startWorker(base = "") {
  const stores = new Map<string, Map<string, Response>>();
  const storeOf = (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return store;
  };
  const addressOf = (request: Request | string) =>
    new URL(typeof request === "string" ? request : request.url, ORIGIN).href;
  const caches = {
    match: async (request: Request | string, { cacheName }: { cacheName: string }) =>
      storeOf(cacheName).get(addressOf(request))?.clone(),
    open: async (name: string) => ({
      put: async (request: Request, answer: Response) => void storeOf(name).set(addressOf(request), answer),
      keys: async () => [...storeOf(name).keys()].map((url) => ({ url })),
      delete: async (request: Request) => storeOf(name).delete(addressOf(request)),
    }),
    delete: async (name: string) => stores.delete(name),
  };
  let answerFetch: (event: unknown) => void = () => {};
  const self = {
    location: new URL(`${ORIGIN}${base}/sw.js`),
    registration: {},
    clients: {},
    addEventListener: (name: string, listener: (event: unknown) => void) => {
      if (name === "fetch") answerFetch = listener;
    },
  };
  const network = vi.fn<(request: Request) => Promise<Response>>();
  const globals = {
    self,
    caches,
    fetch: network,
    URL,
    Request,
    Response,
    Headers,
    Promise,
    Date,
    AbortController,
    console,
  };
  runInNewContext(SOURCE, { ...globals, setTimeout });

  /** Asks the worker, and returns its answer and everything that it does afterwards. */
  const ask = (path: string, mode = "cors", headers = {}) => {
    const request = new Request(ORIGIN + path, { headers });
    Object.defineProperty(request, "mode", { value: mode });
    const later: Promise<unknown>[] = [];
    let answer: Promise<Response> | undefined;
    answerFetch({
      request,
      preloadResponse: undefined,
      respondWith: (given: Promise<Response>) => {
        answer = given;
      },
      waitUntil: (work: Promise<unknown>) => void later.push(work),
    });
    if (!answer) throw new Error(`The worker leaves ${path} to the browser`);
    return { answer, later };
  };
  return { ask, network, store: storeOf };
}

const OURS = { "Shelfwise-Version": "1.0.0" };
const json = (body: string) => new Response(body, { headers: { ...OURS, Date: "Tue, 10 Nov 2026 08:00:00 GMT" } });

/** An answer that the test gives later. */
function lateAnswer() {
  let resolve: (answer: Response) => void = () => {};
  const promise = new Promise<Response>((given) => {
    resolve = given;
  });
  return { promise, resolve };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a network that hangs is given four seconds, and then the last seen answer is shown as such", async () => {
  const { ask, network, store } = startWorker();
  store("shelfwise-reader").set(`${ORIGIN}/api/tbr`, json("seen"));
  const fresh = lateAnswer();
  network.mockReturnValue(fresh.promise);
  const { answer, later } = ask("/api/tbr");
  let isAnswered = false;
  answer.then(() => {
    isAnswered = true;
  });
  await vi.advanceTimersByTimeAsync(PATIENCE - 1);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const seen = await answer;
  expect(await seen.text()).toBe("seen");
  expect(seen.headers.get(MARK)).toBe("Tue, 10 Nov 2026 08:00:00 GMT");

  // The late answer is shown the next time.
  fresh.resolve(json("fresh"));
  for (const work of later) await work;
  expect(await store("shelfwise-reader").get(`${ORIGIN}/api/tbr`)?.text()).toBe("fresh");
});

it("below a path it keeps what is below it, apart from the other servers of the origin", async () => {
  const { ask, network, store } = startWorker("/books");
  network.mockImplementation(async ({ url }) => json(url.endsWith("/me") ? '{"user":{"id":1}}' : url));
  for (const path of ["/books/api/auth/me", "/books/api/tbr"]) {
    const { answer, later } = ask(path);
    await answer;
    await Promise.all(later);
  }
  const below = (path: string) => `${ORIGIN}/books${path}`;
  const kept = ["/api/auth/me", "/api/tbr", "/reader"].map(below);
  expect([...store("shelfwise-reader/books").keys()].sort()).toEqual(kept);
  expect([...store("shelfwise-reader").keys()]).toEqual([]);
  store("shelfwise-files/books").set(below("/login"), new Response("page"));
  network.mockRejectedValue(new TypeError("refused"));
  expect(await (await ask("/books/dashboard", "navigate").answer).text()).toBe("page");
  expect(() => ask("/dashboard", "navigate")).toThrow("leaves /dashboard to the browser");
  expect(() => ask("/api/tbr")).toThrow("leaves /api/tbr to the browser");
});

it("a call that was never answered before waits for the network", async () => {
  const { ask, network } = startWorker();
  const fresh = lateAnswer();
  network.mockReturnValue(fresh.promise);
  const { answer } = ask("/api/tbr");
  await vi.advanceTimersByTimeAsync(2 * PATIENCE);
  fresh.resolve(json("fresh"));
  expect(await (await answer).text()).toBe("fresh");
});

it("a refused connection is answered at once from what was seen, or else fails", async () => {
  const { ask, network, store } = startWorker();
  store("shelfwise-reader").set(`${ORIGIN}/api/tbr`, json("seen"));
  network.mockRejectedValue(new TypeError("refused"));
  expect(await (await ask("/api/tbr").answer).text()).toBe("seen");
  await expect(ask("/api/site").answer).rejects.toThrow("refused");
});

it.each([502, 503, 504, 404, 200])(
  "a proxy's own answer with status %i is none: what was seen is shown, and stays",
  async (status) => {
    const { ask, network, store } = startWorker();
    store("shelfwise-files").set(`${ORIGIN}/login`, new Response("page"));
    store("shelfwise-reader").set(`${ORIGIN}/api/tbr`, json("seen"));
    network.mockImplementation(async () => new Response("Bad gateway", { status }));
    expect(await (await ask("/dashboard", "navigate").answer).text()).toBe("page");
    const { answer, later } = ask("/api/tbr");
    expect(await (await answer).text()).toBe("seen");
    for (const work of later) await work;
    expect(await store("shelfwise-reader").get(`${ORIGIN}/api/tbr`)?.text()).toBe("seen");
    // The page decides about what was never seen.
    expect((await ask("/api/site").answer).status).toBe(status);
  },
);

it("the page on which a proxy asks people to log in is shown, and takes nothing of what was seen", async () => {
  const { ask, network, store } = startWorker();
  store("shelfwise-files").set(`${ORIGIN}/login`, new Response("page"));
  store("shelfwise-reader").set(`${ORIGIN}/api/tbr`, json("seen"));
  network.mockImplementation(async () => new Response("Log in to go on", { status: 401 }));
  expect(await (await ask("/dashboard", "navigate").answer).text()).toBe("Log in to go on");
  expect(await (await ask("/api/tbr").answer).text()).toBe("seen");
});

it("pages and their scripts open from the cache when the network hangs, and only the first waits long", async () => {
  const { ask, network, store } = startWorker();
  store("shelfwise-files").set(`${ORIGIN}/login`, new Response("page"));
  store("shelfwise-files").set(`${ORIGIN}/theme.js`, new Response("script"));
  store("shelfwise-reader").set(`${ORIGIN}/api/tbr`, json("seen"));
  const script = lateAnswer();
  network.mockImplementation(({ url }) => (url.endsWith(".js") ? script : lateAnswer()).promise);
  const page = ask("/dashboard", "navigate").answer;
  await vi.advanceTimersByTimeAsync(PATIENCE);
  expect(await (await page).text()).toBe("page");
  const { answer, later } = ask("/theme.js");
  await vi.advanceTimersByTimeAsync(NEXT_PATIENCE);
  expect(await (await answer).text()).toBe("script");

  // The network is back.
  script.resolve(new Response("new script", { headers: OURS }));
  for (const work of later) await work;
  let isAnswered = false;
  ask("/api/tbr").answer.then(() => {
    isAnswered = true;
  });
  await vi.advanceTimersByTimeAsync(NEXT_PATIENCE);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(PATIENCE - NEXT_PATIENCE);
  expect(isAnswered).toBe(true);
});

it("the log of a book is there without a network, as the book is", async () => {
  const { ask, network } = startWorker();
  network.mockImplementation(async ({ url }) => json(url));
  const { answer, later } = ask("/api/books/7/days");
  await answer;
  for (const work of later) await work;
  network.mockRejectedValue(new TypeError("refused"));
  expect(await (await ask("/api/books/7/days").answer).text()).toBe(`${ORIGIN}/api/books/7/days`);
});

it("what was kept of one account is erased when a proxy names another, before anything of that one is kept", async () => {
  const { ask, network, store } = startWorker();
  const kept = () => [...store("shelfwise-reader").keys()].map((url) => url.replace(ORIGIN, ""));
  const visit = async (id: number, paths: string[]) => {
    network.mockImplementation(async ({ url }) =>
      json(url.endsWith("/me") ? JSON.stringify({ user: { id } }) : `of ${id}`),
    );
    const asked = paths.map((path) =>
      ask(path, "cors", path === "/api/auth/me" ? {} : { "Shelfwise-Account": String(id) }),
    );
    for (const { answer, later } of asked) {
      await answer;
      await Promise.all(later);
    }
  };
  await visit(1, ["/api/auth/me", "/api/books/7", "/api/tbr"]);
  await visit(1, ["/api/auth/me"]);
  expect([...kept()].sort()).toEqual(["/api/auth/me", "/api/books/7", "/api/tbr", "/reader"]);
  await visit(2, ["/api/auth/me", "/api/tbr"]);
  expect([...kept()].sort()).toEqual(["/api/auth/me", "/api/tbr", "/reader"]);
  expect(await store("shelfwise-reader").get(`${ORIGIN}/api/tbr`)?.text()).toBe("of 2");
  await visit(1, ["/api/tbr"]);
  expect([...kept()].sort()).toEqual(["/api/tbr", "/reader"]);
});
