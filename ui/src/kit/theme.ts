import { useSyncExternalStore } from "react";

/**
 * The theme: what was chosen here before, else what the system prefers, else light. A preference that the server knows
 * overrides it. A choice is stored in this browser and applied to the page as a class of `html`.
 */
export type Theme = "light" | "dark";

/** Where this browser keeps the choice; `public/theme.js` reads it before the first paint. */
const STORED_AS = "shelfwise-theme";
const PAPER: Record<Theme, string> = { light: "#faf7f1", dark: "#10151f" };

const listeners = new Set<() => void>();
let current: Theme | null = null;

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(STORED_AS);
    return value === "dark" || value === "light" ? value : null;
  } catch {
    // Storage may be blocked: then the system's preference is all there is.
    return null;
  }
}

function ofSystem(): Theme {
  return window.matchMedia?.("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** The theme of this moment. */
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

/** Takes a theme as the choice of this browser, and applies it. */
export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // The page still follows; only the next visit will not remember.
  }
  apply(theme);
}

/** Follows the preference that the server keeps: null, for one never chosen, changes nothing. */
export function followServer(theme: Theme | null): void {
  if (theme) chooseTheme(theme);
}

/** Applies the theme at start, and follows the system for as long as nothing was chosen. */
export function startTheme(): void {
  current = null;
  apply(currentTheme());
  window.matchMedia?.("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (!stored()) apply(ofSystem());
  });
}

/** The theme, and how to choose one. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  return [theme, chooseTheme];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
