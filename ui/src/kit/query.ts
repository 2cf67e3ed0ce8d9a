import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, retryAfterMs } from "./api/client";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The longest time in milliseconds that a call waits when the server asks it to retry later. */
const LONGEST_WAIT = 5 * SECOND;

/**
 * Creates the query client with the product's times: results are fresh for 5 minutes, unused ones are kept for 10,
 * queries retry once after 1 second doubling up to 3, mutations once after 1 second; nothing is refetched on focus and
 * nothing is polled. When a busy server names a time, the retry comes after that time, and not at all when it is longer
 * than 5 seconds. `onUnauthorized` is called when any call is answered 401, because the session may have ended, and
 * `onOtherAccount` when it is answered 409 `other_account`, because another account has signed in with the same browser.
 */
export function createQueryClient(
  onUnauthorized: (client: QueryClient) => void,
  onOtherAccount: (client: QueryClient) => void = onUnauthorized,
): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) onUnauthorized(client);
    if (error.code === "other_account") onOtherAccount(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5 * MINUTE,
        gcTime: 10 * MINUTE,
        retry: (failures, error) => failures < 1 && isSoon(error),
        retryDelay: (attempt, error) => retryAfterMs(error) ?? Math.min(SECOND * 2 ** attempt, 3 * SECOND),
        refetchOnWindowFocus: false,
        refetchInterval: false,
        networkMode: "offlineFirst",
      },
      mutations: {
        // A refusal would be the same again; a call that did not reach the server may succeed the next time.
        retry: (failures, error) =>
          failures < 1 && isSoon(error) && !(error instanceof ApiError && isRefusal(error.status)),
        retryDelay: (_attempt, error) => retryAfterMs(error) ?? SECOND,
        // Mutations fail at once while offline: a form that waits for the network would look stuck.
        networkMode: "always",
      },
    },
  });
  return client;
}

/** Stores the answer of a mutation in the cache. A query that was sent before the mutation must not overwrite it. */
export async function storeAnswer<T>(client: QueryClient, queryKey: readonly unknown[], answer: T): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, () => answer);
}

/** Whether the wait before a retry is short enough for a person. */
function isSoon(error: unknown): boolean {
  return (retryAfterMs(error) ?? 0) <= LONGEST_WAIT;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}
