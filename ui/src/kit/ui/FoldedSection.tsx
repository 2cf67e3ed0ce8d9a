import type { ReactNode } from "react";
import { useRemembered } from "../useRemembered";
import css from "./FoldedSection.module.css";
import line from "./summary.module.css";

interface FoldedSectionProps {
  title: string;
  /** What is inside, in a few words. */
  holds: string;
  /** Under which key this browser remembers whether it is open. */
  rememberedAs?: string;
  children: ReactNode;
}

/** A section of a page that is folded until its reader opens it. What is inside is drawn only then. */
export function FoldedSection({ title, holds, rememberedAs, children }: FoldedSectionProps) {
  const [isOpen, setOpen] = useRemembered(rememberedAs);
  return (
    <details className={css.section} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${line.summary} ${css.summary}`}>
        <h2 className="h3">{title}</h2>
        <span className={css.holds}>{holds}</span>
      </summary>
      {isOpen && children}
    </details>
  );
}
