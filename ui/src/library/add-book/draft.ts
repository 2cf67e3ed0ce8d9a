import type { BookForm } from "../books/model";

/** The prefix of every draft's key. */
const DRAFTS = "shelfwise.draft";

/** The key of a draft. Each reader has their own, and each to-be-read item has its own. */
export function draftKey(userId: number, tbrId?: number): string {
  return [DRAFTS, userId, tbrId].filter((part) => part !== undefined).join(".");
}

/** The draft of this tab; null without one. Missing fields are taken from `initial`. */
export function readDraft(key: string, initial: BookForm): BookForm | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return typeof stored === "object" && stored !== null ? { ...initial, ...stored } : null;
  } catch {
    return null;
  }
}

/** Stores what has been typed until the tab is closed, across reloads. An untouched form stores nothing. */
export function writeDraft(key: string, form: BookForm, initial: BookForm): void {
  if (JSON.stringify(form) === JSON.stringify(initial)) forgetDraft(key);
  else attempt(() => sessionStorage.setItem(key, JSON.stringify(form)));
}

export function forgetDraft(key: string): void {
  attempt(() => sessionStorage.removeItem(key));
}

/** Removes every draft of this tab when its reader signs out. */
export function forgetDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
  });
}

/** A browser may refuse storage or have none left: the form works without drafts. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    console.warn("The draft could not be kept:", error);
  }
}
