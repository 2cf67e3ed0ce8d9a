/**
 * Shelfwise without a network: opens the program, and the library as it was last seen.
 *
 * Pages come from the network first, so that their nonce is fresh; one copy is kept. Files with a hash in their name come
 * from the cache first. What the server answered is kept apart, and erased with the session that it belongs to.
 */
const FILES = "shelfwise-files";
/** Also named in src/kit/offline.ts. */
const READER = "shelfwise-reader";

/** Where the copy of the one page is kept; every address shows the same, but `/` to a visitor. Also named in vite.config.ts. */
const SHELL = "/dashboard";
/** What only that page has: the landing page comes drawn. */
const EMPTY = '<div id="root"></div>';
/** Which files there are, as the build has listed them. */
const LIST = "/files.json";

/** Calls whose last answer is shown while there is no network. */
const SEEN =
  /^\/api\/(auth\/me|books(\/titles)?|stats(\/options)?|tbr|preferences|subscriptions\/current|teams\/current|site)$/;
/** A search that somebody is typing is not kept: letter by letter it would push out what is worth it. */
const TYPED = "titleSearch";
/** Calls that begin or end somebody's stay, or empty the library: nothing seen before is kept. */
const ERASES = /^\/api\/(auth\/(login|logout|signup)|account|account\/data)$/;
/** How many answers are kept, the oldest leaving first: each filter of the dashboard is an answer of its own. */
const MOST_ANSWERS = 60;
/** Marks an answer that is not of now. Also named in src/kit/offline.ts. */
const MARK = "X-Shelfwise-Last-Seen";

/** Counts the stays: an answer that was asked for in an earlier one is not kept. */
let stay = 0;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(Promise.all([takeFiles(), passTyped(event)]));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method !== "GET") {
    if (ERASES.test(pathname) && request.method !== "PATCH") event.waitUntil(eraseReader());
    return;
  }
  if (request.mode === "navigate" && pathname.startsWith("/api/auth/oauth/")) {
    // Whoever comes back may be somebody else.
    event.waitUntil(eraseReader());
    // Left alone, the browser would ask a second time beside the request that it sent ahead, and an answer counts once.
    if (self.registration.navigationPreload) event.respondWith(sentAhead(event));
    return;
  }
  if (SEEN.test(pathname) && !searchParams.has(TYPED)) event.respondWith(answer(event));
  else if (pathname.startsWith("/api/") || pathname === "/healthz" || pathname === "/sw.js") return;
  else if (request.mode === "navigate") event.respondWith(page(event));
  else event.respondWith(pathname.startsWith("/assets/") ? kept(request) : file(request));
});

/** Has the browser, where it can, send a typed search past the worker: whoever types waits for the detour. */
async function passTyped(event) {
  const condition = { urlPattern: { pathname: "/api/*", search: `*${TYPED}=*` } };
  await event.addRoutes?.({ condition, source: "network" }).catch(console.warn);
}

/** What the browser has asked for itself: such a request says whose page began it, where the worker's own would not. */
async function sentAhead(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** A page: from the network, else the copy. */
async function page(event) {
  try {
    const fresh = (await event.preloadResponse) ?? (await fetch(event.request));
    // A picture opened in a tab of its own is no page.
    const isPage = fresh.headers.get("Content-Type")?.startsWith("text/html");
    if (fresh.ok && isPage) event.waitUntil(keepShell(fresh.clone()));
    return fresh;
  } catch {
    return (await caches.match(SHELL, { cacheName: FILES })) ?? Response.error();
  }
}

/** Keeps the page; where it names other files than before, the program was updated, and its files are taken anew. */
async function keepShell(fresh) {
  const html = await fresh.clone().text();
  if (!html.includes(EMPTY)) return;
  const cache = await caches.open(FILES);
  const before = await cache.match(SHELL);
  const assets = (page) => page.match(/\/assets\/[^"]+/g)?.join();
  const changed = assets((await before?.text()) ?? "") !== assets(html);
  if (changed) await takeFiles();
  await cache.put(SHELL, fresh);
}

/** Fetches every file that is not there yet, and lets go of those that the program no longer has. */
async function takeFiles() {
  const cache = await caches.open(FILES);
  const names = await (await fetch(LIST, { cache: "no-cache" })).json();
  const wanted = new Set(names.map((name) => new URL(name, self.location.origin).href));
  const there = await cache.keys();
  await Promise.all(there.filter(({ url }) => !wanted.has(url)).map((gone) => cache.delete(gone)));
  const have = new Set(there.map(({ url }) => url).filter((url) => url.includes("/assets/")));
  await cache.addAll([...wanted].filter((url) => !have.has(url)));
}

/** A file whose name has a hash: never another content under the same name. */
async function kept(request) {
  const copy = await caches.match(request, { cacheName: FILES });
  if (copy) return copy;
  const fresh = await fetch(request);
  if (fresh.ok) await (await caches.open(FILES)).put(request, fresh.clone());
  return fresh;
}

/** Any other file: from the network, else the copy. */
async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, { cacheName: FILES })) ?? Response.error();
  }
}

/** An answer of the server's; without a network the last one, marked as such. */
async function answer(event) {
  const asked = stay;
  try {
    const fresh = await fetch(event.request);
    if (fresh.status === 401) event.waitUntil(eraseReader());
    else if (fresh.ok) event.waitUntil(keepAnswer(event.request, fresh.clone(), asked));
    return fresh;
  } catch (error) {
    const seen = await caches.match(event.request, { cacheName: READER });
    if (!seen) throw error;
    const headers = new Headers(seen.headers);
    headers.set(MARK, headers.get("Date") ?? "");
    return new Response(seen.body, { status: seen.status, headers });
  }
}

async function keepAnswer(request, fresh, asked) {
  const cache = await caches.open(READER);
  if (asked !== stay) return;
  await cache.put(request, fresh);
  const answers = await cache.keys();
  await Promise.all(answers.slice(0, Math.max(0, answers.length - MOST_ANSWERS)).map((old) => cache.delete(old)));
}

/** Also in src/kit/offline.ts. The answers go one by one: of a cache that is deleted as a whole the files may stay for a while. */
async function eraseReader() {
  stay += 1;
  const cache = await caches.open(READER);
  const answers = await cache.keys();
  await Promise.all(answers.map((answer) => cache.delete(answer, { ignoreVary: true })));
  return caches.delete(READER);
}
