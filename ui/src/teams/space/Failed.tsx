import type { ReactNode } from "react";
import { sentenceOf } from "../../kit/api/client";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import css from "./Space.module.css";

/** In place of a tab that could not be fetched: what happened, and another try. */
export function Failed({ error, onRetry, children }: { error: unknown; onRetry: () => void; children: ReactNode }) {
  return (
    <Alert className={css.failed}>
      <p>
        {children} {sentenceOf(error, "")}
      </p>
      <Button size="compact" onClick={() => onRetry()}>
        Try again
      </Button>
    </Alert>
  );
}
