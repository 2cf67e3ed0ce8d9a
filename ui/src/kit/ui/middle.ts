/** Scrolls a row of links sideways until the one that matches the selector is in its middle, as far as the row scrolls. */
export function bringToMiddle(row: HTMLElement | null, selector: string): void {
  const item = row?.querySelector(selector);
  if (!row || !item) return;
  const outer = row.getBoundingClientRect();
  const inner = item.getBoundingClientRect();
  row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}
