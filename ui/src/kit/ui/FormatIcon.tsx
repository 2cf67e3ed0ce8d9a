import type { Format } from "../api/types";
import { Icon } from "./Icon";

const ICONS = { Print: "print", eBook: "ebook", Audio: "audio" } as const;

/** The icon of a format, beside its name. */
export function FormatIcon({ format }: { format: Format }) {
  return <Icon name={ICONS[format]} />;
}
