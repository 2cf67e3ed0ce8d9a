import type { ReactNode } from "react";
import { errorMessage } from "../../kit/api/client";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import css from "./Space.module.css";

/** Shown instead of a tab that could not be loaded: the error, and a button to try again. */
export function Failed({ error, onRetry, children }: { error: unknown; onRetry: () => void; children: ReactNode }) {
  return (
    <Alert className={css.failed}>
      <p>
        {children} {errorMessage(error, "")}
      </p>
      <Button size="compact" onClick={() => onRetry()}>
        Try again
      </Button>
    </Alert>
  );
}
