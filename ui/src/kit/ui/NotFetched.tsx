import type { ReactNode } from "react";
import { Alert } from "./Alert";
import { Button } from "./Button";

interface NotFetchedProps {
  /** What could not be loaded, in one sentence. */
  children: ReactNode;
  onRetry: () => void;
  className?: string;
}

/** Says that something could not be loaded, with a button to try again. What was fetched before stays beside it. */
export function NotFetched({ children, onRetry, className }: NotFetchedProps) {
  return (
    <Alert className={className}>
      <p>{children}</p>
      <Button size="compact" onClick={() => onRetry()}>
        Try again
      </Button>
    </Alert>
  );
}
