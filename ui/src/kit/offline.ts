/** The page's side of the service worker (`public/sw.js`), which answers while there is no network. */
import { useSyncExternalStore } from "react";
import { BASE, withBase } from "./base";
import { ownScript } from "./trusted";

/** The name of the cache in which the worker keeps a reader's answers. */
const READER = `shelfwise-reader${BASE}`;
/** The cached text in which the worker notes whose answers these are. */
const OWNER = withBase("/reader");
/** The header of an answer that comes from the cache. */
export const LAST_SEEN = "X-Shelfwise-Last-Seen";

let old = false;
const listeners = new Set<() => void>();

/** Records whether an answer came from the server itself. */
export function noteAnswer(headers: Headers): void {
  const isOld = headers.has(LAST_SEEN);
  if (isOld === old) return;
  old = isOld;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Whether the shown data may be out of date: there is no network, or the last answer came from the cache. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, () => old || !navigator.onLine);
}

/**
 * Erases the reader's data from this device when a session begins or ends. The worker of this page has seen the call or its 401, also
 * without a network, and erases by itself, in order with the answers of the next session. Erasing here, too, would take some of these.
 */
export function forgetReader(): void {
  // Caches exist in secure contexts only, like the worker.
  if ("caches" in window && !hasWorker()) eraseAnswers().catch(console.warn);
}

/**
 * Erases what the worker has kept of another account. It does so itself when it sees an answer of this one, and doesn't see the calls of
 * a page that was loaded without it.
 */
export async function keepOnlyOf(account: number): Promise<void> {
  if (!("caches" in window) || hasWorker()) return;
  const owner = await (await window.caches.match(OWNER, { cacheName: READER }))?.text();
  if (owner !== undefined && owner !== String(account)) await eraseAnswers();
}

/** Whether the worker answers the calls of this page, and caches the answers. */
export const hasWorker = (): boolean => Boolean(navigator.serviceWorker?.controller);

/** Erases the answers one by one. When a whole cache is deleted, the browser may leave its files on the disk for a while. */
async function eraseAnswers(): Promise<void> {
  const cache = await window.caches.open(READER);
  const answers = await cache.keys();
  await Promise.all(answers.map((answer) => cache.delete(answer, { ignoreVary: true })));
  await window.caches.delete(READER);
}

/**
 * Milliseconds between the page's load and the worker's installation. The installation fetches every file, and the page
 * comes first.
 */
const INSTALL_AFTER = 2_000;

/** Installs the worker. `onFirst` is called when the worker takes over a page that was loaded without it. */
export function installWorker(onFirst: () => void): void {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  if (!serviceWorker.controller) serviceWorker.addEventListener("controllerchange", onFirst, { once: true });
  const install = () => serviceWorker.register(ownScript(withBase("/sw.js"))).catch(console.warn);
  window.addEventListener("load", () => setTimeout(install, INSTALL_AFTER), { once: true });
}
