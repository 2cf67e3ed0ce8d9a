import { BASE } from "../kit/base";

/** The sessionStorage key with the time at which this tab was last sent on to a sign-in provider, in milliseconds. */
const STORED_AS = `shelfwise-sent-on${BASE}`;
/** Milliseconds within which a tab is not sent on again: a sign-in that fails, or the Back button, must not make a loop. */
const PAUSE = 60_000;

/** Records that this tab goes to a sign-in provider now. Returns false when it went there only just now. */
export function maySendOn(): boolean {
  try {
    const last = Number(sessionStorage.getItem(STORED_AS) ?? 0);
    if (Math.abs(Date.now() - last) < PAUSE) return false;
    sessionStorage.setItem(STORED_AS, String(Date.now()));
    return true;
  } catch {
    // Without storage a loop could not be noticed.
    return false;
  }
}
