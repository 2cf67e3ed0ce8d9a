import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";

/** Rows drawn beyond either edge of the window. A list of no more than both margins is drawn whole, wherever it is. */
const MARGIN = 6;

interface RowsInView {
  /** Give it to what holds the rows, each of which carries its number as `data-index`. */
  frame: RefObject<HTMLDivElement | null>;
  /** The rows to draw: from `first` to before `end`. */
  first: number;
  end: number;
  /** px of rows left out above and below. */
  above: number;
  below: number;
}

type Place = Omit<RowsInView, "frame">;

/**
 * Which rows of a long list the window shows, where the page itself scrolls. `estimate` is a row's usual height in px;
 * what drawn rows really measure replaces it, so that the page is as long as it says.
 */
export function useRowsInView(count: number, estimate: number): RowsInView {
  const frame = useRef<HTMLDivElement>(null);
  const heights = useRef<number[]>([]);
  const width = useRef(0);
  // Of the list's own height, in px: where the window begins and ends.
  const [seen, setSeen] = useState({ top: 0, bottom: 0 });
  const place = useMemo(() => placed(heights.current, { count, estimate, ...seen }), [count, estimate, seen]);
  const drawn = useRef({ count, estimate, place });
  useLayoutEffect(() => {
    drawn.current = { count, estimate, place };
  }, [count, estimate, place]);

  // A drawing is not measured when it is made, which would hold it up, but when it changed the length of the page.
  useLayoutEffect(() => {
    const follow = () => {
      const element = frame.current;
      if (!element) return;
      if (element.clientWidth !== width.current) {
        width.current = element.clientWidth;
        // Titles break differently now.
        heights.current = [];
      }
      for (const row of element.querySelectorAll<HTMLElement>("[data-index]")) {
        // A table's rows have fractions of pixels, of which thousands add up.
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
    // What stands above moves the rows, too.
    observer.observe(document.body);
    window.addEventListener("scroll", follow, { passive: true });
    window.addEventListener("resize", follow);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", follow);
      window.removeEventListener("resize", follow);
    };
  }, []);

  return { frame, ...place };
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
  /** px of the list's own height between which it is seen. */
  top: number;
  bottom: number;
}

/** The rows between two heights, with a margin, and the heights of all before and after them. */
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
  const sum = (start: number, stop: number) => {
    let total = 0;
    for (let at = start; at < stop; at++) total += heightOf(at);
    return total;
  };
  return between(from, to, sum(0, from), sum(to, count));
}
