import { navigate as navigateTo } from "wouter/use-browser-location";
import { shownPath, withBase } from "./base";
import { leave } from "./leaving";

/*
 * The page from which a form was opened. It is kept with the entry of the browser's history, so it survives a reload,
 * and going back to it restores its filter and its place.
 */

interface Origin {
  /** The path and the query of the page. */
  from: string;
  /** The number of entries between that page and this one. */
  steps: number;
}

function originOf(state: unknown): Origin | null {
  const { from, steps } = (state ?? {}) as Partial<Origin>;
  return typeof from === "string" && typeof steps === "number" && steps > 0 ? { from, steps } : null;
}

/** Opens an address of the interface at once. */
export const navigate: typeof navigateTo = (href, options) => navigateTo(withBase(String(href)), options);

/**
 * Opens an address of the interface, after a question when a form was changed, and remembers the present address as its
 * origin. Another tab of the same page keeps the origin.
 */
export function openPage(href: string): void {
  const { search, origin: site } = window.location;
  const before = originOf(window.history.state);
  const isSamePage = new URL(href, site).pathname === shownPath();
  const state = isSamePage
    ? before && { from: before.from, steps: before.steps + 1 }
    : { from: shownPath() + search, steps: 1 };
  leave(() => navigate(href, { state }));
}

/** The path of the page from which this one was opened; null when it was opened by its address. */
export function originPath(): string | null {
  return originOf(window.history.state)?.from.split("?")[0] ?? null;
}

/**
 * Leads back to the page from which this one was opened, as the browser's back button does; to `otherwise` when the
 * origin is unknown.
 */
export function leaveTo(otherwise: string): void {
  const origin = originOf(window.history.state);
  if (origin) window.history.go(-origin.steps);
  else navigate(otherwise);
}
