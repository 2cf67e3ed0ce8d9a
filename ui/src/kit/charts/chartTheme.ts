import type { Theme } from "../theme";

/** The design's tokens as a canvas needs them: a canvas does not follow CSS, so they are read anew with each theme. */
export interface Look {
  ink: string;
  ink2: string;
  ink3: string;
  rule: string;
  paper: string;
  area: string;
  board: string;
  /** The six blues by rank, the first at 0. */
  data: readonly string[];
  sans: string;
  serif: string;
}

const known = new Map<Theme, Look>();

/** The tokens of a theme, which must be the page's present one; read once, because reading makes the browser lay out. */
export function lookOf(theme: Theme): Look {
  const look = known.get(theme) ?? readLook();
  known.set(theme, look);
  return look;
}

function readLook(): Look {
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
