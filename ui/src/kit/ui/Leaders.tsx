import type { ReactNode } from "react";
import css from "./Leaders.module.css";

/** Pairs joined by dots, as in a table of contents. */
export function Leaders({ children, className }: { children: ReactNode; className?: string }) {
  return <ul className={className ? `${css.leaders} ${className}` : css.leaders}>{children}</ul>;
}

interface LeaderProps {
  name: ReactNode;
  /** Figures, or a control. */
  children: ReactNode;
  className?: string;
}

export function Leader({ name, children, className }: LeaderProps) {
  return (
    <li className={className ? `${css.leader} ${className}` : css.leader}>
      <span className={css.name}>{name}</span>
      <span className={css.dots} aria-hidden="true" />
      <span className={css.value}>{children}</span>
    </li>
  );
}
