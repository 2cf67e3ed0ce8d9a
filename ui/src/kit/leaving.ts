/** Asks before a page with a changed form is left, by a link, by a button or by the browser's back and forward. */

import {
  type BrowserLocationHook,
  type BrowserSearchHook,
  navigate,
  useLocationProperty,
} from "wouter/use-browser-location";

interface Guard {
  /** Whether the form differs from what is stored. */
  isChanged: () => boolean;
  /** Asks the person, and calls `go` when they leave. `erases`: leaving also removes the draft. */
  ask: (go: () => void, erases: boolean) => void;
}

let guard: Guard | null = null;
/** The guarded page, and its place in the browser's history. */
let guarded = { path: "", search: "", index: 0 };
/** What happens at the next `popstate`, which this module has caused itself. */
let expected: (() => void) | "pass" | null = null;

const isAtGuarded = () => window.location.pathname === guarded.path && window.location.search === guarded.search;

/** The place of the page in the browser's history. Where the browser does not say, it is kept with each entry. */
function place(): number {
  const { navigation } = window as { navigation?: { currentEntry?: { index: number } | null } };
  return navigation?.currentEntry?.index ?? window.history.state?.place ?? 0;
}

/** The place of the present entry, for browsers without the Navigation API. */
let present = 0;

/** Keeps the place with a new entry, and with one whose state was replaced. The router sends these events. */
function keepPlace(event?: Event): void {
  if (event?.type === "pushState") present += 1;
  if (window.history.state?.place === present) return;
  // Past the router, which patches the method and would send its event again.
  History.prototype.replaceState.call(window.history, { ...window.history.state, place: present }, "");
}

/** Leaves the page by `go`: at once, or after the person has confirmed it. */
export function leave(go: () => void, { erases = false } = {}): void {
  if (guard?.isChanged()) guard.ask(go, erases);
  else go();
}

/** Guards the page until the returned function is called. One form of a page can do this. */
export function guardLeaving(next: Guard): () => void {
  guard = next;
  guarded = { path: window.location.pathname, search: window.location.search, index: place() };
  return () => {
    if (guard === next) guard = null;
  };
}

/** Ends the guard, because the person has confirmed that they leave. */
export function leaveAnyway(go: () => void): void {
  guard = null;
  go();
}

function onPopState(event: PopStateEvent): void {
  present = place();
  if (expected) {
    const act = expected;
    expected = null;
    if (act === "pass") return;
    event.stopImmediatePropagation();
    act();
    return;
  }
  if (!guard?.isChanged()) return;
  if (isAtGuarded()) {
    // A link within the page.
    guarded.index = place();
    return;
  }
  // The address has changed already: it is changed back before the question, and the router does not notice.
  event.stopImmediatePropagation();
  const steps = place() - guarded.index || -1;
  const asking = guard;
  expected = () =>
    asking.ask(() => {
      expected = "pass";
      window.history.go(steps);
    }, false);
  window.history.go(-steps);
}

/**
 * The address for the router, with `useShownSearch`. While a step that the browser has made is taken back, it is still the form's: drawing anything in this
 * moment would otherwise open the other page, and the form would be gone.
 */
export const useShownLocation: BrowserLocationHook = ({ ssrPath } = {}) => {
  const path = () => (expected ? guarded.path : window.location.pathname);
  return [useLocationProperty(path, () => ssrPath ?? path()), navigate];
};
export const useShownSearch: BrowserSearchHook = ({ ssrSearch } = {}) => {
  const search = () => (expected ? guarded.search : window.location.search);
  return useLocationProperty(search, () => ssrSearch ?? search());
};

// At the capture phase, so that it runs before the router's own listener.
if (typeof window !== "undefined") {
  window.addEventListener("popstate", onPopState, { capture: true });
  if (!Reflect.has(window, "navigation")) {
    present = place();
    keepPlace();
    for (const name of ["pushState", "replaceState"]) window.addEventListener(name, keepPlace);
  }
}
