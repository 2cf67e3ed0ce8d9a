import type { Book } from "../../kit/api/types";
import { whole } from "../../kit/format";
import type { Blue } from "../../kit/spine/blue";
import css from "./Book.module.css";
import { percentOf, WHOLE } from "./model";

/** How far an open read has come, as a ruler. Nothing before the first place. */
export function PlaceRuler({ read: { progress, pages }, blue }: { read: Book; blue: Blue }) {
  if (!progress) return null;
  const reached = percentOf(Math.min(progress.at, WHOLE));
  const inPages = progress.page !== null && pages !== null;
  return (
    <div className={css.place} aria-hidden="true">
      <div className={css.ruler}>
        <div style={{ width: reached, background: `var(--data-${blue})` }} />
      </div>
      <div className={css.marks}>
        <span>0</span>
        <span className={css.here} style={{ left: `clamp(28px, ${reached}, 100% - 64px)` }}>
          {inPages ? whole(progress.page ?? 0) : percentOf(progress.at)}
        </span>
        <span>{inPages ? whole(pages ?? 0) : "100%"}</span>
      </div>
    </div>
  );
}
