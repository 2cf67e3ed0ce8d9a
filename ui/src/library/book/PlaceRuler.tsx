import type { Book, ReadingDay } from "../../kit/api/types";
import { clock, whole } from "../../kit/format";
import type { Blue } from "../../kit/spine/blue";
import { minutesAt, pageOf, percentOf, ticksOf, WHOLE } from "../books/read";
import css from "./Book.module.css";

interface PlaceRulerProps {
  read: Book;
  blue: Blue;
  /** The log, for a tick at the place of each day; absent while it is unknown. */
  days?: readonly ReadingDay[] | undefined;
}

/** How far an open read has come, as a ruler. Nothing before the first place. */
export function PlaceRuler({ read, blue, days = [] }: PlaceRulerProps) {
  const { progress, pages } = read;
  if (!progress) return null;
  const reached = percentOf(Math.min(progress.at, WHOLE));
  const minutes = minutesAt(progress, read);
  const page = minutes === null ? pageOf(read) : null;
  const end = minutes === null ? "100%" : clock(read.minutes ?? 0);
  return (
    <div className={css.place} aria-hidden="true">
      <div className={css.ruler}>
        <div style={{ width: reached, background: `var(--data-${blue})` }} />
      </div>
      <div className={css.ticks}>
        {ticksOf(days).map((at) => (
          <span key={at} style={{ insetInlineStart: percentOf(at) }} />
        ))}
      </div>
      <div className={css.marks}>
        <span>0</span>
        <span className={css.here} style={{ insetInlineStart: `clamp(28px, ${reached}, 100% - 64px)` }}>
          {page !== null ? whole(page) : minutes === null ? percentOf(progress.at) : clock(minutes)}
        </span>
        <span>{page !== null ? whole(pages ?? 0) : end}</span>
      </div>
    </div>
  );
}
