import type { ComponentProps } from "react";
import { Icon } from "./Icon";
import css from "./SearchField.module.css";

type SearchFieldProps = Omit<ComponentProps<"input">, "type" | "onChange"> & {
  /** The label for screen readers: "Search users". */
  label: string;
  onSearch: (text: string) => void;
  /**
   * `framed`: a field of its own. `line`: small, above the list that it searches. Unset: inside an element that has a
   * frame.
   */
  look?: "framed" | "line";
};

/** A search field with a magnifier. `className` applies to the whole field. */
export function SearchField({ label, onSearch, look, className, ...input }: SearchFieldProps) {
  return (
    <label className={className ? `${css.search} ${className}` : css.search} data-look={look}>
      <Icon name="search" small={look === "line"} />
      <span className="vh">{label}</span>
      <input {...input} type="search" onChange={(event) => onSearch(event.target.value)} />
    </label>
  );
}
