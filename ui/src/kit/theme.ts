import { useSyncExternalStore } from "react";
import { BASE } from "./base";

/**
 * The theme: the choice stored in this browser, otherwise the system's preference, otherwise light. A preference stored
 * on the server overrides it. The theme is applied to the page as a class of `html`.
 */
export type Theme = "light" | "dark";

/** The localStorage key of the choice; `public/theme.js` reads it before the first paint. */
const STORED_AS = `shelfwise-theme${BASE}`;
const PAPER: Record<Theme, string> = { light: "#faf7f1", dark: "#10151f" };

const listeners = new Set<() => void>();
let current: Theme | null = null;

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(STORED_AS);
    return value === "dark" || value === "light" ? value : null;
  } catch {
    // Storage may be blocked: then only the system's preference counts.
    return null;
  }
}

function ofSystem(): Theme {
  return window.matchMedia?.("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** The theme of the page now. */
export function currentTheme(): Theme {
  current ??= stored() ?? ofSystem();
  return current;
}

/** Applies a theme to the page without storing it as a choice. */
function apply(theme: Theme): void {
  current = theme;
  const { classList } = document.documentElement;
  classList.toggle("dark", theme === "dark");
  classList.toggle("light", theme === "light");
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = PAPER[theme];
  for (const listener of listeners) listener();
}

/** Stores a theme as this browser's choice, and applies it. */
export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // Storage is blocked: the choice applies to this page only.
  }
  apply(theme);
}

/** Applies the preference that the server stores. Null, for a preference that was never chosen, changes nothing. */
export function followServer(theme: Theme | null): void {
  if (theme) chooseTheme(theme);
}

/** Applies the theme at the start. Until a theme is chosen, the page follows the system's preference. */
export function startTheme(): void {
  current = null;
  // Set by `public/theme.js` until the style sheet has arrived.
  document.documentElement.style.colorScheme = "";
  apply(currentTheme());
  window.matchMedia?.("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (!stored()) apply(ofSystem());
  });
}

/** The current theme, and a function to choose one. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  return [theme, chooseTheme];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
