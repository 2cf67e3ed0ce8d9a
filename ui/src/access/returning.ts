/** The page to which signing in leads back. It stays in this tab (sessionStorage), so that it outlives a sign-in provider. */
import { BASE, shownPath } from "../kit/base";
import { paths } from "../kit/paths";
import { lastAccount } from "./viewer";

const STORED_AS = `shelfwise-return${BASE}`;

interface Remembered {
  /** The path and the query. */
  page: string;
  /** The account that the page was shown to; null when it was opened without a session. */
  account: number | null;
  /** Whether the reader has gone to a sign-in provider, which leads to the dashboard. */
  atProvider?: boolean;
}

function stored(): Remembered | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? "null") as Remembered | null;
  } catch {
    return null;
  }
}

function store(remembered: Remembered): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify(remembered));
  } catch {
    // Storage is blocked: signing in then leads to the dashboard.
  }
}

/** Remembers the current page, which requires a session. */
export function rememberPage(): void {
  const page = shownPath();
  if (page !== paths.login()) store({ page: page + window.location.search, account: lastAccount() });
}

/** Forgets the remembered page: the reader has arrived. */
export function forgetPage(): void {
  try {
    sessionStorage.removeItem(STORED_AS);
  } catch {
    // Nothing was stored.
  }
}

/** The remembered page for an account that has just signed in; null when there is none, or when it is another account's. */
export function pageToReturnTo(account: number): string | null {
  const remembered = stored();
  if (!remembered?.page.startsWith("/") || remembered.page.startsWith("//")) return null;
  return remembered.account === null || remembered.account === account ? remembered.page : null;
}

/** Records that the reader goes to a sign-in provider. */
export function goToProvider(): void {
  const remembered = stored();
  if (remembered) store({ ...remembered, atProvider: true });
}

/** Whether the reader comes back from a sign-in provider, and has a page to return to. */
export function isFromProvider(): boolean {
  return stored()?.atProvider === true;
}
