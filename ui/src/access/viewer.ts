import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { User } from "../kit/api/types";
import { forgetReader } from "../kit/offline";
import { storeAnswer } from "../kit/query";
import { logOutDone } from "./logout";

/** Null when nobody is signed in. */
type Identity = { user: User } | null;

/** Asks the server who is signed in. */
export const viewerQuery = queryOptions({
  queryKey: keys.viewer,
  queryFn: ({ signal }): Promise<Identity> => api.getIfSignedIn("/api/auth/me", { signal }),
});

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
  if (!user) throw new Error("This page is for somebody signed in");
  return user;
}

/** Stores the user who has just signed in, and drops all cached data of the previous user. */
export function signedIn(client: QueryClient, user: User): void {
  forgetOthers(client);
  logOutDone();
  client.setQueryData<Identity>(keys.viewer, () => ({ user }));
}

/** Records that nobody is signed in any more. */
export function signedOut(client: QueryClient): void {
  forgetOthers(client);
  client.setQueryData<Identity>(keys.viewer, null);
}

/** Stores a changed name or address of the same user. */
export function userChanged(client: QueryClient, user: User): Promise<void> {
  return storeAnswer<Identity>(client, keys.viewer, { user });
}

/** The cached data that belongs to no reader. */
const KEPT: readonly unknown[] = [keys.viewer[0], keys.site[0]];

function forgetOthers(client: QueryClient): void {
  forgetReader();
  client.removeQueries({ predicate: (query) => !KEPT.includes(query.queryKey[0]) });
}
