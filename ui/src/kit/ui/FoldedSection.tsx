import { type ReactNode, useState } from "react";
import css from "./FoldedSection.module.css";
import line from "./summary.module.css";

interface FoldedSectionProps {
  title: string;
  /** What is inside, in a few words. */
  holds: string;
  children: ReactNode;
}

/** A section of a page that is folded until its reader opens it. What is inside is drawn only then. */
export function FoldedSection({ title, holds, children }: FoldedSectionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={css.section} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${line.summary} ${css.summary}`}>
        <h2 className="h3">{title}</h2>
        <span className={css.holds}>{holds}</span>
      </summary>
      {isOpen && children}
    </details>
  );
}
