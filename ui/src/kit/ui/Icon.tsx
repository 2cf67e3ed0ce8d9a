import css from "./Icon.module.css";
import symbols from "./icons.svg";

/** The symbols of `icons.svg`. */
export type IconName =
  | "search"
  | "chevron"
  | "x"
  | "plus"
  | "check"
  | "grip"
  | "edit"
  | "trash"
  | "download"
  | "upload"
  | "sun"
  | "moon"
  | "star"
  | "lock"
  | "down"
  | "up"
  | "right"
  | "print"
  | "ebook"
  | "audio"
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
  | "play";

/** An icon beside a text with the same meaning; hidden from screen readers. */
export function Icon({ name, small, className }: { name: IconName; small?: boolean; className?: string }) {
  return (
    <svg
      className={className ? `${css.icon} ${className}` : css.icon}
      data-small={small || undefined}
      aria-hidden="true"
      focusable="false"
    >
      <use href={`${symbols}#${name}`} />
    </svg>
  );
}
