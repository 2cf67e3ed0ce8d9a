import type { ReactNode } from "react";
import css from "./Fold.module.css";
import line from "./summary.module.css";

/** Folded parts of a form, one below the other. */
export function Folds({ children }: { children: ReactNode }) {
  return <div className={css.folds}>{children}</div>;
}

interface FoldProps {
  title: string;
  /** What is inside, in a few words, shown beside the title. */
  holds?: ReactNode;
  onOpen?: () => void;
  children: ReactNode;
}

/** A part of a form that is folded until its reader opens it. Its fields keep what is typed while they are folded. */
export function Fold({ title, holds, onOpen, children }: FoldProps) {
  return (
    <details className={css.fold} onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary className={line.summary}>
        <span className={css.title}>
          {title}
          {holds && (
            <span className={css.holds} dir="auto">
              {holds}
            </span>
          )}
        </span>
      </summary>
      <div className={css.body}>{children}</div>
    </details>
  );
}

/** Opens the folded parts that hold the fields of these names, so that the fields can have the focus. */
export function unfold(names: readonly string[]): void {
  for (const name of names) {
    for (const field of document.getElementsByName(name)) {
      const fold = field.closest("details");
      if (fold) fold.open = true;
    }
  }
}
