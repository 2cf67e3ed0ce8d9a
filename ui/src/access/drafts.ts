/** Drafts of forms: what was typed and not saved, kept in this browser for its account until it is saved or logs out. */

import { useRef, useState } from "react";
import { BASE } from "../kit/base";
import { isSame, type Rebased, rebase, type Typed } from "../kit/rebase";
import { useUser } from "./viewer";

/** The prefix of every draft's key. */
const DRAFTS = `shelfwise.draft${BASE}`;

/** The key of a form's draft. Each account has its own drafts. */
export function draftKey(account: number, form: string): string {
  return `${DRAFTS}.${account}.${form}`;
}

/**
 * The draft under a key on top of `current`, the values that the form would start with; null without a draft, and when
 * it holds nothing that differs from them.
 */
export function readDraft<Form extends object>(key: string, current: Form): Rebased<Form> | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (!isTyped(stored)) return null;
    // An older version of the program may not have known all fields.
    const rebased = rebase<Form>(
      { base: { ...current, ...stored.base }, values: { ...current, ...stored.base, ...stored.values } },
      current,
    );
    return isSame(rebased.values, current) ? null : rebased;
  } catch {
    return null;
  }
}

function isTyped(stored: unknown): stored is Typed<object> {
  return typeof stored === "object" && stored !== null && "base" in stored && "values" in stored;
}

/** Stores what has been typed. A form that equals its base stores nothing. Returns false when the browser refuses to store. */
export function writeDraft<Form extends object>(key: string, { base, values }: Typed<Form>): boolean {
  if (isSame(values, base)) {
    forgetDraft(key);
    return true;
  }
  return attempt(() => localStorage.setItem(key, JSON.stringify({ base, values })));
}

export function forgetDraft(key: string): void {
  attempt(() => localStorage.removeItem(key));
}

/** The keys of an account's drafts; an empty list when the browser stores nothing. */
export function draftKeys(account: number): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(draftKey(account, "")));
  } catch {
    return [];
  }
}

/** Removes the drafts of some forms, because what they are about is gone: `day.7` also stands for `day.7.2026-11-12`. */
export function forgetDraftsOf(account: number, ...forms: string[]): void {
  const isGone = (key: string) =>
    forms.some((form) => key === draftKey(account, form) || key.startsWith(draftKey(account, `${form}.`)));
  draftKeys(account).filter(isGone).forEach(forgetDraft);
}

/** Removes an account's drafts: its reader logs out, or erases the library. Those of other accounts stay for when these sign in again. */
export function forgetDrafts(account: number): void {
  draftKeys(account).forEach(forgetDraft);
  attempt(() => {
    // Earlier versions of the program kept them with the tab.
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(`${DRAFTS}.`)) sessionStorage.removeItem(key);
  });
}

/** A browser may refuse storage or have none left: the form works without drafts. */
function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    console.warn("The draft could not be kept:", error);
    return false;
  }
}

/** The values of a form with a draft. */
export interface DraftedForm<Form> {
  values: Form;
  change: (part: Partial<Form>) => void;
  /** Whether the form holds a draft from before. */
  isRestored: boolean;
  /** Whether the form differs from what it started with. */
  isChanged: boolean;
  /** Removes the draft, because the form is saved. */
  forget: () => void;
  /** Removes the draft and returns to what the form started with. */
  startOver: () => void;
  /**
   * Returns to what the form started with after `saved` was saved, but for what was typed since. Returns whether that is nothing: the
   * draft is removed then.
   */
  goOn: (saved: Form) => boolean;
}

/** The values of a form, with its draft. Later changes of `initial` are ignored. Passwords must not be among the values. */
export function useDraft<Form extends object>(form: string, initial: Form): DraftedForm<Form> {
  const key = draftKey(useUser().id, form);
  const [base] = useState(initial);
  const [restored] = useState(() => readDraft(key, base));
  const [values, setValues] = useState(restored?.values ?? base);
  // Also what was typed since the render in which a form was sent.
  const latest = useRef(values);
  const [isRestored, setRestored] = useState(restored !== null);
  const show = (next: Form) => {
    latest.current = next;
    setValues(next);
    writeDraft(key, { base, values: next });
  };
  return {
    values,
    isRestored,
    isChanged: !isSame(values, base),
    change: (part) => show({ ...latest.current, ...part }),
    forget: () => forgetDraft(key),
    startOver: () => {
      show(base);
      setRestored(false);
    },
    goOn: (saved) => {
      const isComplete = isSame(latest.current, saved);
      show(rebase({ base: saved, values: latest.current }, base).values);
      setRestored(false);
      return isComplete;
    },
  };
}
