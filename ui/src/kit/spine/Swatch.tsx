import type { Blue } from "./blue";
import css from "./Swatch.module.css";

/** The small spine of a legend or a checklist. It is decorative, because the name is beside it. */
export function Swatch({ blue }: { blue: Blue }) {
  return <span className={`${css.swatch} b${blue}`} aria-hidden="true" />;
}
