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

/** Shows so many rows of a list of the page. */
export const showRows = (rows: number, name = "rows") =>
  window.history.replaceState({ ...window.history.state, [name]: rows }, "");

/**
 * How many rows of a list of the page are shown; on paper all of them. It is kept with the entry of the browser's history, as the place is:
 * the way back from a book leads to the same rows. Each list of a page with several has a name.
 */
export function useShownRows(name = "rows"): number {
  const kept = useHistoryState<Record<string, number | undefined> | null>();
  return usePrinting() ? Number.POSITIVE_INFINITY : (kept?.[name] ?? FIRST_ROWS);
}

interface MoreRowsProps {
  /** Contains the rows, each with its number as `data-index`. */
  list: RefObject<HTMLElement | null>;
  shown: number;
  total: number;
  /** The name of the list, where a page has several. */
  name?: string;
  /** What a row is, and several of them. */
  one?: string;
  many?: string;
}

/** How many rows of a long list are shown, and the ways to more of them. Nothing once all are. */
export function MoreRows({ list, shown, total, name, one = "book", many }: MoreRowsProps) {
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
    showRows(rows, name);
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
