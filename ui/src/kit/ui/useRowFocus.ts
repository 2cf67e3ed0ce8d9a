import { type RefObject, useEffect, useRef } from "react";

/** The rows of a list, without the room of rows that are not rendered. */
const ROWS = "li:not([aria-hidden])";

/**
 * Keeps the focus in a list whose rows disappear: when the row that had it is gone, the same control of the row that took
 * its place gets it, or of the last row, and without any row the frame. `rows` are the keys of the rows. The frame is in the page from the
 * start, and the rows are its `li` elements.
 */
export function useRowFocus(frame: RefObject<HTMLElement | null>, rows: readonly unknown[]): void {
  const last = useRef({ row: 0, control: 0 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const items = [...element.querySelectorAll(ROWS)];
      const row = items.findIndex((item) => item.contains(target));
      if (row >= 0) last.current = { row, control: controlsOf(items[row]).indexOf(target as HTMLElement) };
    };
    element.addEventListener("focusin", note);
    return () => element.removeEventListener("focusin", note);
  }, [frame]);
  const count = useRef(rows.length);
  useEffect(() => {
    const isShorter = rows.length < count.current;
    count.current = rows.length;
    if (!isShorter || (document.activeElement !== document.body && document.activeElement !== null)) return;
    const items = frame.current?.querySelectorAll(ROWS) ?? [];
    const controls = controlsOf(items[Math.min(last.current.row, items.length - 1)]);
    (controls[last.current.control] ?? controls[0] ?? frame.current)?.focus();
  }, [frame, rows.length]);
}

function controlsOf(row: Element | undefined): HTMLElement[] {
  return row ? [...row.querySelectorAll<HTMLElement>("button, a[href]")] : [];
}
