import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

let printing = false;

/** Whether the page is drawn for paper. It is known before the browser takes the page, so that all rows of a list are there. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => printing,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  const set = (next: boolean) => {
    printing = next;
    // The browser takes the page as it is when its listeners have returned.
    flushSync(listener);
  };
  const begin = () => set(true);
  const end = () => set(false);
  const paper = window.matchMedia?.("print");
  const follow = () => set(paper?.matches ?? false);
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
  paper?.addEventListener?.("change", follow);
  return () => {
    window.removeEventListener("beforeprint", begin);
    window.removeEventListener("afterprint", end);
    paper?.removeEventListener?.("change", follow);
  };
}
