import { type Query, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError, actAs, api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { User } from "../kit/api/types";
import { forgetReader, hasWorker, keepOnlyOf } from "../kit/offline";
import { storeAnswer } from "../kit/query";
import { toast } from "../kit/ui/toast";
import { logOutDone } from "./logout";
import { announce, onAnnounced } from "./otherTabs";

/** Null when no one is signed in. */
type Identity = { user: User } | null;

/** Asks the server who is signed in. */
export const viewerQuery = queryOptions({
  queryKey: keys.viewer,
  queryFn: async ({ signal, client }): Promise<Identity> => {
    let identity = await askedWho(client, signal);
    // A question that was under way while a changed password renewed the session is answered as if no one were signed in.
    if (!identity && shown) identity = await askedWho(client, signal);
    known(identity?.user.id ?? null);
    if (identity) announce(identity.user.id);
    return identity;
  },
  // A fault of the program must not look like a session that has ended.
  throwOnError: (error) => !(error instanceof ApiError),
});

/** The server's answer. The reason why it refuses the person that a proxy names is stored for the log-in page. */
async function askedWho(client: QueryClient, signal: AbortSignal): Promise<Identity> {
  try {
    return (await api.getIfSignedIn("/api/auth/me", { signal })) as Identity;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "header_refused") throw error;
    client.setQueryData(keys.refusal, error.bodyText("error"));
    return null;
  }
}

/** Why the server does not sign in the person that the proxy in front of it names; null when it does, and when no one is named. */
export function useRefusal(): string | null {
  const { data } = useQuery<string | null>({ queryKey: keys.refusal, queryFn: () => null, enabled: false });
  return data ?? null;
}

/** The account whose pages this tab shows; null for a visitor. */
let shown: number | null = null;
/** The account of this tab, or the last one. */
let last: number | null = null;

function known(id: number | null): void {
  shown = id;
  last = id ?? last;
  actAs(id);
  if (id !== null) keepOnlyOf(id).catch(console.warn);
}

/** The account whose pages this tab shows now; null for a visitor. */
export function shownAccount(): number | null {
  return shown;
}

/** The account that this tab shows or showed last; null when it has shown none. */
export function lastAccount(): number | null {
  return last;
}

/** The person who uses the page. Null while the server is being asked, and when it could not be asked. */
export interface Viewer {
  user: User | null;
  loading: boolean;
}

/** The signed-in user of this browser. */
export function useViewer(): Viewer {
  const { data, isPending } = useQuery(viewerQuery);
  return { user: data?.user ?? null, loading: isPending };
}

/** The signed-in user, for pages that require a session. */
export function useUser(): User {
  const { user } = useViewer();
  if (!user) throw new Error("This page is for someone signed in");
  return user;
}

/** Stores the user who has just signed in, and drops all cached data of the previous user. */
export function signedIn(client: QueryClient, user: User): void {
  forgetOthers(client);
  logOutDone();
  known(user.id);
  client.setQueryData<Identity>(keys.viewer, () => ({ user }));
  announce(user.id);
  // A page that is opened without a network needs these answers, and the worker has erased those of the former session.
  if (hasWorker()) client.invalidateQueries({ predicate: isKept, refetchType: "all" });
}

/** Records that no one is signed in any more. */
export function signedOut(client: QueryClient): void {
  forgetOthers(client);
  known(null);
  client.setQueryData<Identity>(keys.viewer, null);
}

/** Finds out whether the session has ended, after a call was answered 401. A renewed session goes on. */
export function checkSession(client: QueryClient): void {
  const asked = client.fetchQuery({ ...viewerQuery, staleTime: 0 });
  asked.then(
    (identity) => identity || signedOut(client),
    // The server could not be asked: the page stays.
    () => null,
  );
}

/** Removes a page from a tab in which another account is signed in now, and shows that account's. */
export function shownToAnother(client: QueryClient): void {
  toast({ title: "Another account has logged in", description: "This tab now shows its pages.", destructive: true });
  forgetOthers(client);
  known(null);
  client.resetQueries({ queryKey: keys.viewer });
}

/** Follows log-outs and sign-ins of the browser's other tabs. */
export function followOtherTabs(client: QueryClient): void {
  onAnnounced((account) => {
    if (shown === null || shown === account) return;
    if (account === null) signedOut(client);
    else shownToAnother(client);
  });
}

/** Stores a changed name or address of the same user. */
export function userChanged(client: QueryClient, user: User): Promise<void> {
  return storeAnswer<Identity>(client, keys.viewer, { user });
}

/** The cached data that belongs to no reader. */
const KEPT: readonly unknown[] = [keys.viewer[0], keys.site[0]];
const isKept = ({ queryKey }: Query) => KEPT.includes(queryKey[0]);

function forgetOthers(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => !isKept(query) });
  forgetReader();
}
