/** What the tabs of a browser say to each other about the session, which they share. */
import { BASE } from "../kit/base";

/** The channel, for as long as this tab listens. */
let channel: BroadcastChannel | null = null;

/** Says to the other tabs which account this browser is signed in to; null after a log-out. */
export function announce(account: number | null): void {
  channel?.postMessage(account);
}

/** Calls `follow` with what other tabs announce, from now on. */
export function onAnnounced(follow: (account: number | null) => void): void {
  // Browsers without channels find out with the next call, which the server refuses.
  if (!("BroadcastChannel" in window)) return;
  channel = new BroadcastChannel(`shelfwise-session${BASE}`);
  channel.onmessage = ({ data }) => follow(typeof data === "number" ? data : null);
}
