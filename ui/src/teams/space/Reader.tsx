import type { Blue } from "../../kit/spine/blue";
import { Swatch } from "../../kit/spine/Swatch";
import css from "./Space.module.css";

/** A reader's name with their blue. */
export function Reader({ name, blue }: { name: string; blue: Blue }) {
  return (
    <span className={css.reader}>
      <Swatch blue={blue} />
      {name}
    </span>
  );
}
