import type { ReactNode } from "react";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";

/** Says that something could not be loaded, with a button to try again. */
export function Failed({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <Alert>
      <p>{children}</p>
      <Button size="compact" onClick={() => onRetry()}>
        Try again
      </Button>
    </Alert>
  );
}
