import type { Format } from "../api/types";
import { FORMAT_WORDS } from "../words";
import css from "./FormatIcon.module.css";
import { Icon } from "./Icon";

const ICONS = { Print: "print", eBook: "ebook", Audio: "audio" } as const;

/** The icon of a format, for use beside its name. */
export function FormatIcon({ format }: { format: Format }) {
  return <Icon name={ICONS[format]} />;
}

/** A format with its icon. */
export function FormatName({ format }: { format: Format }) {
  return (
    <span className={css.name} data-format={format}>
      <FormatIcon format={format} />
      {FORMAT_WORDS[format]}
    </span>
  );
}
