import type { ComponentProps } from "react";
import { Icon } from "./Icon";
import css from "./SearchField.module.css";

type SearchFieldProps = Omit<ComponentProps<"input">, "type" | "onChange"> & {
  /** What is searched, for those who don't see the magnifier: "Search users". */
  label: string;
  onSearch: (text: string) => void;
  /** `framed`: on its own. `line`: small, over the list that it searches. Without: part of what has a frame already. */
  look?: "framed" | "line";
};

/** A field to search by, with its magnifier. The class is the whole field's. */
export function SearchField({ label, onSearch, look, className, ...input }: SearchFieldProps) {
  return (
    <label className={className ? `${css.search} ${className}` : css.search} data-look={look}>
      <Icon name="search" small={look === "line"} />
      <span className="vh">{label}</span>
      <input {...input} type="search" onChange={(event) => onSearch(event.target.value)} />
    </label>
  );
}
