import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, retryAfterMs } from "./api/client";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The longest time that a call waits for a server that named one, in milliseconds. */
const LONGEST_WAIT = 5 * SECOND;

/**
 * The query client with the product's times: results fresh for 5 minutes, unused ones kept 10, one retry after
 * 1 second doubling up to 3, mutations once more after 1 second, nothing refetched on focus, nothing polled. Where a busy
 * server names a time, the retry comes after that time, and not at all when it is longer than 5 seconds.
 *
 * `onSignedOut` is called when any call is answered 401: the session ended elsewhere.
 */
export function createQueryClient(onSignedOut: (client: QueryClient) => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut(client);
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
        // What the server refused it would refuse again; what did not get through may get through.
        retry: (failures, error) =>
          failures < 1 && isSoon(error) && !(error instanceof ApiError && isRefusal(error.status)),
        retryDelay: (_attempt, error) => retryAfterMs(error) ?? SECOND,
        // Fails, and says so, while offline: a form that waits for the network would look stuck.
        networkMode: "always",
      },
    },
  });
  return client;
}

/** Takes in what a change was answered with; a question asked before the change must not overwrite it with its answer. */
export async function takeIn<T>(client: QueryClient, queryKey: readonly unknown[], answer: T): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, () => answer);
}

/** Whether a retry need not wait longer than a person would. */
function isSoon(error: unknown): boolean {
  return (retryAfterMs(error) ?? 0) <= LONGEST_WAIT;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}
