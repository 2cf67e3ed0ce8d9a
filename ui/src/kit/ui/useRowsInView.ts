import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { usePrinting } from "../usePrinting";

/** Rows rendered beyond either edge of the window. A list of at most twice as many rows is always rendered whole. */
const MARGIN = 6;

interface RowsInView {
  /** A ref for the element that contains the rows. Each row has its number as `data-index`. */
  frame: RefObject<HTMLDivElement | null>;
  /** The rows to render: from `first` up to, but not including, `end`. */
  first: number;
  end: number;
  /** Height in px of the rows left out above and below. */
  above: number;
  below: number;
  /** Height in px of the rows from one up to, but not including, another. */
  heightOf: (from: number, to: number) => number;
}

type Place = Pick<RowsInView, "first" | "end" | "above" | "below">;

/**
 * The rows of a long list that are in the window, when the page itself scrolls; all rows while it is printed. `estimate`
 * is the usual height of a row in px; measured heights replace it, so that the page has the right length.
 */
export function useRowsInView(count: number, estimate: number): RowsInView {
  const frame = useRef<HTMLDivElement>(null);
  const heights = useRef<number[]>([]);
  const width = useRef(0);
  // The window's upper and lower edge, in px from the top of the list.
  const [seen, setSeen] = useState({ top: 0, bottom: 0 });
  const isPrinting = usePrinting();
  const place = useMemo(
    () => (isPrinting ? between(0, count, 0) : placed(heights.current, { count, estimate, ...seen })),
    [count, estimate, seen, isPrinting],
  );
  const drawn = useRef({ count, estimate, place });
  useLayoutEffect(() => {
    drawn.current = { count, estimate, place };
  }, [count, estimate, place]);

  // Rows are not measured when they are rendered, which would delay it, but when the length of the page has changed.
  useLayoutEffect(() => {
    const follow = () => {
      const element = frame.current;
      if (!element) return;
      if (element.clientWidth !== width.current) {
        width.current = element.clientWidth;
        // Titles break differently at another width.
        heights.current = [];
      }
      for (const row of element.querySelectorAll<HTMLElement>("[data-index]")) {
        // Table rows have fractional heights, which add up over thousands of rows.
        const { height } = row.getBoundingClientRect();
        if (height > 0) heights.current[Number(row.dataset.index)] = height;
      }
      const list = element.querySelector("[data-rows]") ?? element;
      const top = -list.getBoundingClientRect().top;
      const next = { top, bottom: top + window.innerHeight };
      const { place, ...rows } = drawn.current;
      if (!same(place, placed(heights.current, { ...rows, ...next }))) setSeen(next);
    };
    follow();
    const observer = new ResizeObserver(follow);
    // Elements above the list move the rows, too.
    observer.observe(document.body);
    window.addEventListener("scroll", follow, { passive: true });
    window.addEventListener("resize", follow);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", follow);
      window.removeEventListener("resize", follow);
    };
  }, []);

  const heightOf = useCallback((from: number, to: number) => sumOf(heights.current, estimate, from, to), [estimate]);
  return { frame, ...place, heightOf };
}

/** The heights of the rows from one up to, but not including, another. */
function sumOf(heights: readonly number[], estimate: number, from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at++) total += heights[at] ?? estimate;
  return total;
}

function between(first: number, end: number, above: number, below = 0): Place {
  return { first, end, above, below };
}

function same(a: Place, b: Place): boolean {
  return a.first === b.first && a.end === b.end && Math.abs(a.above - b.above) < 1 && Math.abs(a.below - b.below) < 1;
}

interface Range {
  count: number;
  estimate: number;
  /** The visible part of the list, in px from its top. */
  top: number;
  bottom: number;
}

/** The rows between two heights, with a margin, and the heights of all rows before and after them. */
export function placed(heights: readonly number[], { count, estimate, top, bottom }: Range): Place {
  if (count <= 2 * MARGIN) return between(0, count, 0);
  const heightOf = (at: number) => heights[at] ?? estimate;
  let first = 0;
  let y = 0;
  while (first < count && y + heightOf(first) <= top) {
    y += heightOf(first);
    first += 1;
  }
  let end = first;
  while (end < count && y < bottom) {
    y += heightOf(end);
    end += 1;
  }
  const from = Math.max(0, Math.min(first, count) - MARGIN);
  const to = Math.min(count, end + MARGIN);
  return between(from, to, sumOf(heights, estimate, 0, from), sumOf(heights, estimate, to, count));
}
