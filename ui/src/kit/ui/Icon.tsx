import css from "./Icon.module.css";
import symbols from "./icons.svg";

/**
 * The icons of the rows of a table, in the form of `icons.svg`. A row has three, and a page hundreds of them: drawing a path
 * costs the browser less than a copy of a symbol.
 */
const PATHS = {
  edit: "M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497zM15 5l4 4",
  star: "M11.525 2.295a.53.53 0 0 1 .95 0l2.31 4.679a2.123 2.123 0 0 0 1.595 1.16l5.166.756a.53.53 0 0 1 .294.904l-3.736 3.638a2.123 2.123 0 0 0-.611 1.878l.882 5.14a.53.53 0 0 1-.771.56l-4.618-2.428a2.122 2.122 0 0 0-1.973 0L6.396 21.01a.53.53 0 0 1-.77-.56l.881-5.139a2.122 2.122 0 0 0-.611-1.879L2.16 9.795a.53.53 0 0 1 .294-.906l5.165-.755a2.122 2.122 0 0 0 1.597-1.16z",
  print: "M4 19.5v-15A2.5 2.5 0 0 1 6.5 2H19a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1H6.5a1 1 0 0 1 0-5H20",
  ebook: "M6 2h12a2 2 0 0 1 2 2v16a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-16a2 2 0 0 1 2 -2zM12 18L12.01 18",
  audio:
    "M3 14h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a9 9 0 0 1 18 0v7a2 2 0 0 1-2 2h-1a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2h3",
} as const;

/** An icon of a row, or a symbol of `icons.svg`. */
export type IconName =
  | keyof typeof PATHS
  | "search"
  | "chevron"
  | "x"
  | "plus"
  | "check"
  | "grip"
  | "trash"
  | "download"
  | "upload"
  | "sun"
  | "moon"
  | "lock"
  | "down"
  | "up"
  | "right"
  | "alert"
  | "ok"
  | "info"
  | "sliders"
  | "logout"
  | "settings"
  | "file"
  | "minus"
  | "user"
  | "external"
  | "list"
  | "dots"
  | "tag"
  | "people"
  | "offline"
  | "copy"
  | "undo"
  | "key"
  | "laptop"
  | "phone"
  | "book"
  | "bookmark"
  | "pin"
  | "calendar"
  | "play"
  | "pause"
  | "quote"
  | "home"
  | "hand"
  | "heart"
  | "globe";

/** An icon beside a text with the same meaning; hidden from screen readers. */
export function Icon({ name, small, className }: { name: IconName; small?: boolean; className?: string }) {
  const path = name in PATHS ? PATHS[name as keyof typeof PATHS] : undefined;
  return (
    <svg
      className={className ? `${css.icon} ${className}` : css.icon}
      data-small={small || undefined}
      aria-hidden="true"
      focusable="false"
      viewBox={path && "0 0 24 24"}
    >
      {path ? <path d={path} /> : <use href={`${symbols}#${name}`} />}
    </svg>
  );
}
