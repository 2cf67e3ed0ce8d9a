import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type { User } from "../kit/api/types";
import { forgetReader } from "../kit/offline";
import { takeIn } from "../kit/query";
import { logOutDone } from "./logout";

/** Null: nobody is signed in. */
type Identity = { user: User } | null;

const VIEWER = ["viewer"] as const;

/** Asks the server who this is. */
export const viewerQuery = queryOptions({
  queryKey: VIEWER,
  queryFn: ({ signal }): Promise<Identity> => api.getIfSignedIn("/api/auth/me", { signal }),
});

/** Who is asking. Nobody while the server is being asked, and nobody when it could not be. */
export interface Viewer {
  user: User | null;
  loading: boolean;
}

/** The signed-in user of this browser. */
export function useViewer(): Viewer {
  const { data, isPending } = useQuery(viewerQuery);
  return { user: data?.user ?? null, loading: isPending };
}

/** The signed-in user, on pages that only somebody signed in can see. */
export function useUser(): User {
  const { user } = useViewer();
  if (!user) throw new Error("This page is for somebody signed in");
  return user;
}

/** Takes in who has just signed in; nothing of a former user stays in memory. */
export function signedIn(client: QueryClient, user: User): void {
  forgetOthers(client);
  logOutDone();
  client.setQueryData<Identity>(VIEWER, () => ({ user }));
}

/** Takes in that nobody is signed in any more. */
export function signedOut(client: QueryClient): void {
  forgetOthers(client);
  client.setQueryData<Identity>(VIEWER, null);
}

/** Takes in a changed name or address of the same user. */
export function userChanged(client: QueryClient, user: User): Promise<void> {
  return takeIn<Identity>(client, VIEWER, { user });
}

function forgetOthers(client: QueryClient): void {
  forgetReader();
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== VIEWER[0] });
}
