/** What the page knows of the service worker (`public/sw.js`), which answers while there is no network. */
import { useSyncExternalStore } from "react";
import { ownScript } from "./trusted";

/** Where the worker keeps what a reader has seen. */
const READER = "shelfwise-reader";
/** The header of an answer that is not of now. */
const MARK = "X-Shelfwise-Last-Seen";

let old = false;
const listeners = new Set<() => void>();

/** Takes note of whether the server itself has answered. */
export function noteAnswer(headers: Headers): void {
  const isOld = headers.has(MARK);
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

/** Whether what is shown may be old: there is no network, or the last answer came from this device. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, () => old || !navigator.onLine);
}

/** Erases what this device kept of a reader. Also without a network, when the worker hears of no logout. */
export function forgetReader(): void {
  // Caches exist in secure contexts only, as the worker does.
  if ("caches" in window) eraseAnswers().catch(console.warn);
}

/** Erases the answers one by one: of a cache that is deleted as a whole the browser may leave the files for a while. */
async function eraseAnswers(): Promise<void> {
  const cache = await window.caches.open(READER);
  const answers = await cache.keys();
  await Promise.all(answers.map((answer) => cache.delete(answer, { ignoreVary: true })));
  await window.caches.delete(READER);
}

/** How long after the page's loading the worker is installed, in ms: it fetches every file, and the page comes first. */
const INSTALL_AFTER = 2_000;

/** Installs the worker; `onFirst` is called when it takes over a page that was loaded without it. */
export function installWorker(onFirst: () => void): void {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  if (!serviceWorker.controller) serviceWorker.addEventListener("controllerchange", onFirst, { once: true });
  const install = () => serviceWorker.register(ownScript("/sw.js")).catch(console.warn);
  window.addEventListener("load", () => setTimeout(install, INSTALL_AFTER), { once: true });
}
