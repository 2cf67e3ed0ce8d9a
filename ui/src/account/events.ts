import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { SecurityEvent } from "../kit/api/types";

function eventsAt(path: "/api/auth/events" | "/api/admin/events") {
  return infiniteQueryOptions({
    queryKey: keys.events(path),
    queryFn: ({ pageParam, signal }) => api.get(path, { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Almost everything that the page does is an event itself.
    staleTime: 0,
  });
}

/** The query of a list of events. */
export type EventsQuery = ReturnType<typeof eventsAt>;

/** The events of the reader's own account, newest first. */
export const ownEventsQuery = eventsAt("/api/auth/events");
/** The events of all accounts, newest first; for operators. */
export const allEventsQuery = eventsAt("/api/admin/events");

/** Fetches the reader's events again after an act that is one: the list may stand on the page of the act. */
export function eventAdded(client: QueryClient): void {
  client.invalidateQueries({ queryKey: ownEventsQuery.queryKey });
}

/** The name of every kind of event in the API description. A kind without one does not compile. */
const WORDS: Readonly<Record<SecurityEvent["what"], string>> = {
  signed_up: "Signed up",
  logged_in: "Logged in",
  login_failed: "Log-in failed",
  logged_out: "Logged out",
  password_changed: "Password changed",
  password_reset_requested: "Link to a new password requested",
  password_reset: "Password reset by link",
  email_changed: "Email address changed",
  provider_connected: "Provider connected",
  provider_disconnected: "Provider disconnected",
  token_created: "API token made",
  token_removed: "API token revoked",
  session_ended: "Session ended",
  data_erased: "All data deleted",
  account_deleted: "Account deleted",
  account_created: "Account made by an operator",
  role_changed: "Role changed",
  plan_changed: "Plan changed",
  account_disabled: "Account disabled",
  account_enabled: "Account enabled",
  reset_link_created: "Password link made by an operator",
  settings_changed: "Server settings changed",
  server_set_up: "Server set up",
  invitation_created: "Invitation to the server made",
  invitation_revoked: "Invitation to the server taken back",
  shares_revoked: "Secret links taken back by an operator",
};

/** What happened, in plain words. The server may be newer than this page: an unknown kind is shown as its own name. */
export function eventWords({ what }: Pick<SecurityEvent, "what">): string {
  if (Object.hasOwn(WORDS, what)) return WORDS[what];
  const words = String(what).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The account that an event is about; null when it no longer exists. */
export function accountOf({ whom }: SecurityEvent): string | null {
  return whom;
}

/** The name of the actor in a sentence: an address, or "the command line". */
export function actorOf(actor: string): string {
  return actor === "command line" ? "the command line" : actor;
}
