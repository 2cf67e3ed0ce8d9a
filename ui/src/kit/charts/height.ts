/** The heights of the charts in px, for a width in px: known before the code that draws them is loaded. */

/** The height of the line chart. */
export function lineChartHeight(width: number): number {
  if (width < 480) return 232;
  return width < 560 ? 300 : 348;
}

/** Whether the names of horizontal bars are above their bars. */
export function isStacked(width: number): boolean {
  return width < 420;
}

/** The height of one horizontal bar with the space around it. */
export function barPitch(width: number): number {
  return isStacked(width) ? 42 : 30;
}

/** The height of this many horizontal bars. */
export function horizontalBarsHeight(width: number, count: number): number {
  return count * barPitch(width) + 2;
}

/** The height of the vertical bars. It depends on the window, so that charts beside each other are equally high. */
export function verticalBarsHeight(): number {
  return window.innerWidth < 720 ? 224 : 308;
}

/** The height of bars in a page of many figures, and of the lines beside them. */
export const LOW = 200;
