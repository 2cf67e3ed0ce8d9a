import type { ReactNode } from "react";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import css from "./Admin.module.css";

interface MoreProps {
  /** The part that it belongs to. */
  of: string;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** Shows more of a part, or less again. */
export function More({ of, expanded, onExpand }: MoreProps) {
  const label = expanded ? "View Less" : "View More";
  return (
    <Button size="compact" aria-expanded={expanded} aria-label={`${label}: ${of}`} onClick={() => onExpand(!expanded)}>
      {label}
    </Button>
  );
}

/** How something is doing, as a coloured dot and in a word. */
export function Status({ kind, children }: { kind: "green" | "orange" | "red"; children: ReactNode }) {
  return (
    <span className={css.status}>
      <span className={css.dot} data-kind={kind} aria-hidden="true" />
      {children}
    </span>
  );
}

/** A polled answer, as far as it matters for what is said about it. */
interface Asked {
  data: unknown;
  isError: boolean;
  /** Counts on while a failed call is made again, so that what is said about it stays meanwhile. */
  errorUpdateCount: number;
  refetch: () => unknown;
}

/** Whether an answer was never had, though it was asked for. */
export function neverCame({ data, errorUpdateCount }: Asked): boolean {
  return data === undefined && errorUpdateCount > 0;
}

/** What stands in place of a part, or below it, while its answer can't be had. */
export function Trouble({ asked, what }: { asked: Asked; what: string }) {
  if (neverCame(asked)) {
    return (
      <Alert>
        <p>{what} could not be fetched.</p>
        <Button size="compact" onClick={() => asked.refetch()}>
          Try again
        </Button>
      </Alert>
    );
  }
  if (!asked.isError) return null;
  return <p className={`hint ${css.late}`}>These figures are of earlier: the server could not be asked again.</p>;
}
