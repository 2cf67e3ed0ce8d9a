import type { ReactNode } from "react";
import css from "./Leaders.module.css";

/** Pairs of text joined by dots, as in a table of contents. */
export function Leaders({ children, className, label }: LeadersProps) {
  return (
    <ul className={className ? `${css.leaders} ${className}` : css.leaders} aria-label={label}>
      {children}
    </ul>
  );
}

interface LeadersProps {
  children: ReactNode;
  className?: string;
  /** The name of the list, when no heading names it. */
  label?: string;
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
