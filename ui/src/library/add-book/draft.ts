import type { BookForm } from "../books/model";

/** What every draft's key begins with. */
const DRAFTS = "shelfwise.draft";

/** Where a half-typed book waits: for its reader alone, and for a book of the to-be-read list apart. */
export function draftKey(userId: number, tbrId?: number): string {
  return [DRAFTS, userId, tbrId].filter((part) => part !== undefined).join(".");
}

/** The draft of this tab; null where there is none. Fields that it lacks are taken from `initial`. */
export function readDraft(key: string, initial: BookForm): BookForm | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return typeof stored === "object" && stored !== null ? { ...initial, ...stored } : null;
  } catch {
    return null;
  }
}

/** Keeps what has been typed, over reloads and until the tab is closed; nothing is kept of an untouched form. */
export function writeDraft(key: string, form: BookForm, initial: BookForm): void {
  if (JSON.stringify(form) === JSON.stringify(initial)) forgetDraft(key);
  else attempt(() => sessionStorage.setItem(key, JSON.stringify(form)));
}

export function forgetDraft(key: string): void {
  attempt(() => sessionStorage.removeItem(key));
}

/** Forgets every draft of this tab: its reader leaves. */
export function forgetDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
  });
}

/** A browser may refuse storage, or have none left: the form works without. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    console.warn("The draft could not be kept:", error);
  }
}
