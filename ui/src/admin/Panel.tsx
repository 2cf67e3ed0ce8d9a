import type { ReactNode } from "react";
import { Button } from "../kit/ui/Button";
import { NotFetched } from "../kit/ui/Fetched";
import css from "./Admin.module.css";

interface MoreProps {
  /** The panel that the button belongs to. */
  of: string;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** Shows more of a panel, or less again. */
export function More({ of, expanded, onExpand }: MoreProps) {
  const label = expanded ? "View Less" : "View More";
  return (
    <Button size="compact" aria-expanded={expanded} aria-label={`${label}: ${of}`} onClick={() => onExpand(!expanded)}>
      {label}
    </Button>
  );
}

/** A status as a coloured dot and a word. */
export function Status({ kind, children }: { kind: "green" | "orange" | "red"; children: ReactNode }) {
  return (
    <span className={css.status}>
      <span className={css.dot} data-kind={kind} aria-hidden="true" />
      {children}
    </span>
  );
}

/** The fields of a polled query that decide what is shown about it. */
interface Asked {
  data: unknown;
  isError: boolean;
  /** Keeps counting while a failed call is made again, so that the message stays meanwhile. */
  errorUpdateCount: number;
  refetch: () => unknown;
}

/** Whether a query has failed without ever having had an answer. */
export function hasNeverLoaded({ data, errorUpdateCount }: Asked): boolean {
  return data === undefined && errorUpdateCount > 0;
}

/** Shown instead of a panel, or below it, while its answer can't be fetched. */
export function FetchError({ asked, what }: { asked: Asked; what: string }) {
  if (hasNeverLoaded(asked)) {
    return <NotFetched onRetry={asked.refetch}>{what} could not be loaded.</NotFetched>;
  }
  if (!asked.isError) return null;
  return <p className={`hint ${css.late}`}>These figures may be out of date: the server did not answer.</p>;
}
