import type { Blue } from "../../../kit/spine/blue";

/**
 * The colours of the picture. They are copied from tokens.css, because a page can read only the values of its current theme; a test
 * compares them.
 */

export type Colour =
  | "paper"
  | "ink"
  | "ink-2"
  | "ink-3"
  | "rule-2"
  | "board"
  | "ribbon"
  | `data-${Blue}`
  | `on-data-${Blue}`;
export type Palette = Readonly<Record<Colour, string>>;
export type Paper = "light" | "dark";

export const PALETTES: Readonly<Record<Paper, Palette>> = {
  light: {
    paper: "#faf7f1",
    ink: "#192334",
    "ink-2": "#454d5c",
    "ink-3": "#626773",
    "rule-2": "#cdc4b1",
    board: "#192334",
    ribbon: "#a3322a",
    "data-1": "#1859b9",
    "data-2": "#4881c8",
    "data-3": "#112a70",
    "data-4": "#317492",
    "data-5": "#154c65",
    "data-6": "#5c95b0",
    "on-data-1": "#fffdf8",
    "on-data-2": "#0a101c",
    "on-data-3": "#fffdf8",
    "on-data-4": "#fffdf8",
    "on-data-5": "#fffdf8",
    "on-data-6": "#0a101c",
  },
  dark: {
    paper: "#10151f",
    ink: "#eee9df",
    "ink-2": "#bebcb6",
    "ink-3": "#9c9b97",
    "rule-2": "#3b4559",
    board: "#d9d3c6",
    ribbon: "#f08a7e",
    "data-1": "#5a96de",
    "data-2": "#9dc8ff",
    "data-3": "#366abf",
    "data-4": "#65b0cc",
    "data-5": "#c5e1ef",
    "data-6": "#467489",
    "on-data-1": "#060a12",
    "on-data-2": "#060a12",
    "on-data-3": "#ffffff",
    "on-data-4": "#060a12",
    "on-data-5": "#060a12",
    "on-data-6": "#ffffff",
  },
};
