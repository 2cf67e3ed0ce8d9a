import type { ReactNode } from "react";
import { serverMessage } from "../api/client";
import { Alert } from "./Alert";
import { Button } from "./Button";
import { Spinner } from "./Waiting";

interface FetchedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** What is happening: "Fetching your books". */
  waiting: ReactNode;
  /** What did not happen, in one sentence: "Your books could not be loaded." */
  failed: string;
  children: (data: Data) => ReactNode;
}

/** What a query has fetched. What was fetched before stays below a failure. */
export function Fetched<Data>({ query, waiting, failed, children }: FetchedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <>
      {Boolean(error) && (
        <NotFetched error={error} onRetry={refetch}>
          {failed}
        </NotFetched>
      )}
      {data === undefined ? !error && <Spinner>{waiting}</Spinner> : children(data)}
    </>
  );
}

interface NotFetchedProps {
  /** What could not be loaded, in one sentence. */
  children: ReactNode;
  /** Why, if the server says so. */
  error?: unknown;
  onRetry: () => unknown;
  className?: string;
}

/** Says that something could not be loaded, with a button to try again. */
export function NotFetched({ children, error, onRetry, className }: NotFetchedProps) {
  const why = serverMessage(error, "");
  return (
    <Alert className={className}>
      <p>{children}</p>
      {why && <p>{why}</p>}
      <Button size="compact" onClick={() => onRetry()}>
        Try again
      </Button>
    </Alert>
  );
}
