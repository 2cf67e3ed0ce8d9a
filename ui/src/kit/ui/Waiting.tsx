import type { ReactNode } from "react";
import css from "./Waiting.module.css";

/** Three spines that grow and shrink, with a text: "Fetching your books". */
export function Spinner({ children }: { children: ReactNode }) {
  return (
    <span className={css.spinner} role="status">
      <svg viewBox="0 0 22 20" aria-hidden="true" focusable="false">
        <rect x="2" y="2" width="5" height="16" rx="1" />
        <rect x="8.5" y="5" width="4" height="13" rx="1" />
        <rect x="14" y="1" width="6" height="17" rx="1" />
        <path d="M0 19h22" />
      </svg>
      {children}
    </span>
  );
}

/** A grey bar in place of a text or a figure. `width` is in per cent of the container, `height` in rem. */
export function Skeleton({ width = 100, height = 0.75 }: { width?: number; height?: number }) {
  return <span className={css.skeleton} style={{ width: `${width}%`, height: `${height}rem` }} aria-hidden="true" />;
}
