import { type RefObject, useEffect, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { counted, whole } from "../format";
import { usePrinting } from "../usePrinting";
import { Button } from "./Button";
import css from "./MoreRows.module.css";

/** The rows that a long list has at first. */
export const FIRST_ROWS = 25;
/** The rows that one press adds. */
const STEP = 50;

/** Shows so many rows of the page's list. */
export const showRows = (rows: number) => window.history.replaceState({ ...window.history.state, rows }, "");

/**
 * How many rows of the page's list are shown; on paper all of them. It is kept with the entry of the browser's history, as the place is:
 * the way back from a book leads to the same rows.
 */
export function useShownRows(): number {
  const kept = useHistoryState<{ rows?: number } | null>();
  return usePrinting() ? Number.POSITIVE_INFINITY : (kept?.rows ?? FIRST_ROWS);
}

interface MoreRowsProps {
  /** Contains the rows, each with its number as `data-index`. */
  list: RefObject<HTMLElement | null>;
  shown: number;
  total: number;
  /** What a row is, and several of them. */
  one?: string;
  many?: string;
}

/** How many rows of a long list are shown, and the ways to more of them. Nothing once all are. */
export function MoreRows({ list, shown, total, one = "book", many }: MoreRowsProps) {
  const [first, setFirst] = useState<number | null>(null);
  // The first new row stands where the button was. It comes when the list has measured itself, and its link once it is fetched.
  useEffect(() => {
    const rows = list.current;
    if (first === null || !rows) return;
    const focusFirst = () => {
      const control = rows.querySelector<HTMLElement>(`[data-index="${first}"] :is(a, button)`);
      control?.focus({ preventScroll: true });
      if (control) setFirst(null);
    };
    const observer = new MutationObserver(focusFirst);
    observer.observe(rows, { childList: true, subtree: true });
    focusFirst();
    return () => observer.disconnect();
  }, [first, list]);
  const left = total - shown;
  if (left <= 0) return null;
  const show = (rows: number) => {
    showRows(rows);
    setFirst(shown);
  };
  return (
    <div className={css.more}>
      <span>
        {whole(shown)} of {counted(total, one, many)}
      </span>
      <Button size="compact" onClick={() => show(shown + STEP)}>
        {`${Math.min(STEP, left)} more`}
      </Button>
      {left > STEP && (
        <Button
          size="compact"
          variant="quiet"
          aria-label={`All ${counted(total, one, many)}`}
          onClick={() => show(total)}
        >
          All
        </Button>
      )}
    </div>
  );
}
