import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { usePrinting } from "../usePrinting";

/** Rows rendered beyond either edge of the window. A list of at most twice as many rows is always rendered whole. */
const MARGIN = 6;

interface RowsOptions {
  count: number;
  /** The usual height of a row in px; measured heights replace it. */
  estimate: number;
  /** The number of a row that is rendered wherever it is; -1 for none. */
  kept?: number;
  /** What a row is known by while the order changes. */
  keyOf?: (index: number) => number;
}

/**
 * The rows of a long list that are in the window, when the page itself scrolls; all rows while it is printed. `list` is the
 * element that contains the rows. Each row has its number as `data-index`, and `measure` as its ref.
 */
export function useWindowRows<List extends HTMLElement>({
  count,
  estimate,
  kept = -1,
  keyOf = (index) => index,
}: RowsOptions) {
  const list = useRef<List>(null);
  const isPrinting = usePrinting();
  const scrollMargin = useTop(list);
  const rangeExtractor = (range: Range) => {
    if (isPrinting || count <= 2 * MARGIN) return Array.from({ length: count }, (_, index) => index);
    const shown = defaultRangeExtractor(range);
    return kept < 0 || shown.includes(kept) ? shown : [...shown, kept].sort((a, b) => a - b);
  };
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count,
    overscan: MARGIN,
    scrollMargin,
    rangeExtractor,
    getItemKey: keyOf,
    estimateSize: () => estimate,
    // Table rows have fractional heights, which add up over thousands of rows. A hidden row has none.
    measureElement: (row) => row.getBoundingClientRect().height || estimate,
  });
  const rows = virtualizer.getVirtualItems();
  const end = rows.at(-1)?.end ?? scrollMargin;
  return {
    list,
    rows,
    measure: virtualizer.measureElement,
    /** Scrolls the page until the row with this number is in the window, also where it and the rows before it are yet to be measured. */
    scrollTo: virtualizer.scrollToIndex,
    /** Height in px of the rows left out above and below. */
    above: (rows[0]?.start ?? scrollMargin) - scrollMargin,
    below: virtualizer.getTotalSize() - (end - scrollMargin),
  };
}

/** The distance of an element from the top of the page in px, which changes with what stands above it. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const follow = () => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
