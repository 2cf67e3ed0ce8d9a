import type { Theme } from "../theme";

/** The colours and fonts of the design for a canvas. A canvas does not follow CSS, so they are read once for each theme. */
export interface ChartTheme {
  ink: string;
  ink2: string;
  ink3: string;
  rule: string;
  paper: string;
  area: string;
  board: string;
  /** The six blues by rank, the first at index 0. */
  data: readonly string[];
  sans: string;
  serif: string;
}

const known = new Map<Theme, ChartTheme>();

/** The chart colours of a theme. They are read once, because reading forces a layout. */
export function chartThemeOf(theme: Theme): ChartTheme {
  const chartTheme = known.get(theme) ?? readAs(theme);
  known.set(theme, chartTheme);
  return chartTheme;
}

/** Reads the colours of a theme, which may be another than the page's: a page in the dark is printed in light colours. */
function readAs(theme: Theme): ChartTheme {
  const { classList } = document.documentElement;
  const other = theme === "dark" ? "light" : "dark";
  const isOther = classList.contains(other);
  if (isOther) classList.replace(other, theme);
  const read = readChartTheme();
  if (isOther) classList.replace(theme, other);
  return read;
}

function readChartTheme(): ChartTheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: token("--ink"),
    ink2: token("--ink-2"),
    ink3: token("--ink-3"),
    rule: token("--rule-2"),
    paper: token("--paper"),
    area: token("--data-area"),
    board: token("--board"),
    data: [1, 2, 3, 4, 5, 6].map((rank) => token(`--data-${rank}`)),
    sans: token("--sans"),
    serif: token("--serif"),
  };
}
