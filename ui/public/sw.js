/**
 * Shelfwise without a network: opens the interface, and shows the library as it was last seen. Pages come from the
 * network first, so that their nonce is fresh; one copy is cached. Files with a hash in their name come from the cache
 * first. The server's answers have a cache of their own, which is erased with the session that it belongs to.
 */
/** The path below which the server serves everything: `/books`; "" at the root. It is also part of the caches' names, because the servers of an origin share them. */
const BASE = self.location.pathname.replace(/\/sw\.js$/, "");
const FILES = `shelfwise-files${BASE}`;
/** Also named in src/kit/offline.ts. */
const READER = `shelfwise-reader${BASE}`;

/**
 * The page that is cached for every address. The pages of other addresses have the same content, and some have links to
 * more files. Also named in vite.config.ts.
 */
const SHELL = `${BASE}/login`;
/** Found in the landing page only, which has other files than the pages of the program. */
const DRAWN = '<div id="root" data-drawn>';
/** The list of files, written by the build. */
const LIST = `${BASE}/files.json`;

/**
 * Milliseconds without an answer of the network after which the cached one is shown. A weak signal or the sign-in page of
 * a public network loses requests without refusing them.
 */
const PATIENCE = 4_000;
/** The same for the requests after one that had no answer in time. A page makes several, one after the other. */
const NEXT_PATIENCE = 1_000;
/** Milliseconds after which a call without an answer ends, also when no one waits for it any more. */
const TIME_OUT = 30_000;

/** Calls whose last answer is shown while there is no network. */
const SEEN =
  /^\/api\/(auth\/me|books(\/(titles|\d+(\/days)?))?|works\/\d+|reading|calendar|stats(\/options)?|tbr|preferences|subscriptions\/current|teams\/current|site|views)$/;
/** The dashboard, and what its search field answers from. A reader in a bookshop may never have searched before. */
const DASHBOARD = `${BASE}/api/stats`;
const SEARCHED = [`${BASE}/api/books/titles`, `${BASE}/api/tbr`];
/** Hours after which a visit of the dashboard fetches these lists again. */
const SEARCHED_AGAIN = 1;
/** A title search is not cached while someone types it: one answer for each key press would displace useful ones. */
const TYPED = "titleSearch";
/** Calls that begin or end a session, or empty the library. They erase all cached answers. */
const ERASES = /^\/api\/(auth\/(login|logout|signup)|account|account\/data)$/;
/**
 * The maximum number of cached answers; the oldest are dropped first. Each filter of the dashboard has an answer of its
 * own.
 */
const MOST_ANSWERS = 60;
/** The cached text that names the account whose answers are cached. Also named in src/kit/offline.ts. */
const OWNER = `${BASE}/reader`;
/** The call whose answer names the account, and the header by which a page says whose it is. */
const ME = `${BASE}/api/auth/me`;
const ACCOUNT = "Shelfwise-Account";
/** Marks an answer that comes from the cache. Also named in src/kit/offline.ts. */
const MARK = "X-Shelfwise-Last-Seen";

/** The header of every answer of the server. A proxy that answers in its place does not send it. Also named in src/kit/api/client.ts. */
const VERSION = "Shelfwise-Version";

/** Whether the last request had no answer in time. */
let hangs = false;
/** Incremented when a session begins or ends. An answer that was requested before that is not cached. */
let generation = 0;
/** Ends when the answers of the former session are erased. Answers of the new one are cached afterwards. */
let erasing = Promise.resolve();
/** Ends when the account of every answer so far is known to be that of the cache. */
let claiming = Promise.resolve();

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(Promise.all([takeFiles(), passTyped(event)]));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname: path, searchParams } = new URL(request.url);
  if (origin !== self.location.origin || !path.startsWith(`${BASE}/`)) return;
  const pathname = path.slice(BASE.length);
  if (request.method !== "GET") {
    if (ERASES.test(pathname) && request.method !== "PATCH") event.respondWith(otherSession(event));
    return;
  }
  if (request.mode === "navigate" && pathname.startsWith("/api/auth/oauth/")) {
    // The person who returns from a provider may be another reader.
    event.waitUntil(eraseReader());
    // Without a response the browser would send a second request beside the preloaded one, and each sign-in works only once.
    if (self.registration.navigationPreload) event.respondWith(sentAhead(event));
    return;
  }
  // What a secret link shows depends on no session, and a link that was taken back may not live on in a cache.
  if (pathname.startsWith("/s/")) return;
  if (SEEN.test(pathname) && !searchParams.has(TYPED)) event.respondWith(answer(event));
  else if (pathname.startsWith("/api/") || pathname === "/healthz" || pathname === "/sw.js") return;
  else if (request.mode === "navigate") event.respondWith(page(event));
  else event.respondWith(pathname.startsWith("/assets/") ? kept(request) : file(event));
});

/** Lets the browser, where it can, send a title search past the worker, because a reader who types waits for the detour. */
async function passTyped(event) {
  const condition = { urlPattern: { pathname: `${BASE}/api/*`, search: `*${TYPED}=*` } };
  await event.addRoutes?.({ condition, source: "network" }).catch(console.warn);
}

/** The browser's own request. It carries the origin of the page that started it, which the worker's request would not. */
async function sentAhead(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** A call that begins or ends a session. Everything that was requested before its answer belongs to the former one. */
async function otherSession(event) {
  event.waitUntil(eraseReader());
  try {
    return await fetch(event.request);
  } finally {
    event.waitUntil(eraseReader());
  }
}

/** Whether an answer is the server's own. */
const isOurs = ({ headers }) => headers.has(VERSION);

/** A page: from the network, otherwise the cached copy. */
function page(event) {
  return inTime(event, freshPage(event), isPageToShow, () => caches.match(SHELL, { cacheName: FILES }));
}

/** A proxy that asks people to log in redirects them, or refuses until they have: without its page they could never come back. */
function isPageToShow(fresh) {
  return isOurs(fresh) || fresh.type === "opaqueredirect" || fresh.status === 401 || fresh.status === 403;
}

async function freshPage(event) {
  const fresh = await sentAhead(event);
  // A picture that is opened in a tab of its own is not a page.
  const isPage = fresh.headers.get("Content-Type")?.startsWith("text/html");
  if (fresh.ok && isPage && isOurs(fresh)) event.waitUntil(followUpdate(fresh.clone()));
  return fresh;
}

/**
 * What the network answers in time, if `counts` takes it for an answer; otherwise the cached copy, and without one whatever the network
 * answers later.
 */
async function inTime(event, fresh, counts, cached) {
  const answered = () => {
    hangs = false;
  };
  // An answer that comes late is still cached.
  event.waitUntil(fresh.then(answered, () => {}));
  const late = new Promise((resolve) => {
    setTimeout(resolve, hangs ? NEXT_PATIENCE : PATIENCE, "late");
  });
  const first = await Promise.race([fresh, late]).catch(() => "failed");
  if (first instanceof Response && counts(first)) return first;
  if (first === "late") hangs = true;
  return (await cached()) ?? fresh;
}

/** When a page lacks a file that the cached page names, the program was updated, and its files are fetched again. */
async function followUpdate(fresh) {
  const html = await fresh.text();
  if (html.includes(DRAWN)) return;
  const before = await (await caches.match(SHELL, { cacheName: FILES }))?.text();
  const assets = before?.match(/\/assets\/[^"]+/g);
  if (!assets?.every((name) => html.includes(name))) await takeFiles();
}

/** Fetches every file that is not cached yet, and deletes those that the program no longer has. */
async function takeFiles() {
  const cache = await caches.open(FILES);
  const names = await (await fetch(LIST, { cache: "no-cache" })).json();
  const wanted = new Set(names.map((name) => new URL(name, self.location.href).href));
  const there = await cache.keys();
  await Promise.all(there.filter(({ url }) => !wanted.has(url)).map((gone) => cache.delete(gone)));
  const have = new Set(there.map(({ url }) => url).filter((url) => url.includes("/assets/")));
  const missing = [...wanted].filter((url) => !have.has(url));
  const add = async (url) => {
    const fresh = await fetch(url);
    if (!fresh.ok || !isOurs(fresh)) throw new Error(`${url} was not answered`);
    await cache.put(url, fresh);
  };
  await Promise.all(missing.map(add));
}

/** A file with a hash in its name, whose content never changes. */
async function kept(request) {
  const copy = await caches.match(request, { cacheName: FILES });
  if (copy) return copy;
  const fresh = await fetch(request);
  if (fresh.ok && isOurs(fresh)) await (await caches.open(FILES)).put(request, fresh.clone());
  return fresh;
}

/** Any other file: from the network, otherwise the cached copy. */
function file(event) {
  return inTime(event, fetch(event.request), isOurs, () => caches.match(event.request, { cacheName: FILES }));
}

/** An answer of the server; without a network the last one, marked as such. */
function answer(event) {
  return inTime(event, freshAnswer(event), isOurs, () => lastAnswer(event.request));
}

async function freshAnswer(event) {
  const asked = generation;
  // `AbortSignal.any` is newer than the oldest browsers.
  const call = new AbortController();
  const end = () => call.abort();
  setTimeout(end, TIME_OUT);
  event.request.signal.addEventListener("abort", end);
  const fresh = await fetch(event.request, { signal: call.signal });
  if (!isOurs(fresh)) return fresh;
  // A 401 to a call of a former session says nothing about the present one.
  if (fresh.status === 401 && asked === generation) event.waitUntil(eraseReader());
  else if (fresh.ok) event.waitUntil(keep(event.request, fresh.clone(), asked));
  return fresh;
}

async function lastAnswer(request) {
  await erasing;
  const seen = await caches.match(request, { cacheName: READER });
  if (!seen) return;
  const headers = new Headers(seen.headers);
  headers.set(MARK, headers.get("Date") ?? "");
  return new Response(seen.body, { status: seen.status, headers });
}

/** Keeps an answer; with the dashboard also the lists that its search field answers from. */
async function keep(request, fresh, asked) {
  const account = await accountOf(request, fresh.clone());
  if (account) asked = await claim(account, asked);
  await keepAnswer(request, fresh, asked);
  const { pathname, search } = new URL(request.url);
  if (pathname !== DASHBOARD || search !== "") return;
  for (const path of SEARCHED) {
    const seen = await caches.match(path, { cacheName: READER, ignoreVary: true });
    if (Date.now() - Date.parse(seen?.headers.get("Date") ?? "") < SEARCHED_AGAIN * 3_600_000) continue;
    // The same headers, because they name the account that the page belongs to.
    const call = new Request(path, { headers: request.headers });
    const list = await fetch(call).catch(() => null);
    if (list?.ok && isOurs(list)) await keepAnswer(call, list, asked);
  }
}

/** The account of an answer, "" when neither its call nor itself names one. */
async function accountOf(request, fresh) {
  if (new URL(request.url).pathname !== ME) return request.headers.get(ACCOUNT) ?? "";
  return String((await fresh.json()).user?.id ?? "");
}

/**
 * Makes an account the owner of the cache, and erases another one's answers first. Behind a proxy that names the people, no call begins
 * a session when the next one takes the device. Returns the generation to which the account's answer belongs.
 */
function claim(account, asked) {
  const claimed = claiming.then(async () => {
    await erasing;
    const before = await (await caches.match(OWNER, { cacheName: READER }))?.text();
    if (before === account) return generation;
    // The session has ended meanwhile.
    if (asked !== generation) return asked;
    if (before) await eraseReader();
    await (await caches.open(READER)).put(OWNER, new Response(account));
    return generation;
  });
  claiming = claimed.catch(console.warn);
  return claimed;
}

async function keepAnswer(request, fresh, asked) {
  await erasing;
  const cache = await caches.open(READER);
  if (asked !== generation) return;
  await cache.put(request, fresh);
  const answers = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== OWNER);
  await Promise.all(answers.slice(0, Math.max(0, answers.length - MOST_ANSWERS)).map((old) => cache.delete(old)));
}

/** Erases the reader's answers after everything that is being erased already. */
function eraseReader() {
  generation += 1;
  erasing = erasing.then(eraseAnswers).catch(console.warn);
  return erasing;
}

/**
 * Also in src/kit/offline.ts. The answers are deleted one by one: when a whole cache is deleted, its files may stay on
 * the disk for a while.
 */
async function eraseAnswers() {
  const cache = await caches.open(READER);
  const answers = await cache.keys();
  await Promise.all(answers.map((answer) => cache.delete(answer, { ignoreVary: true })));
  return caches.delete(READER);
}
