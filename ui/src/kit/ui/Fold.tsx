import { type ReactNode, useState } from "react";
import css from "./Fold.module.css";
import line from "./summary.module.css";

/** Folded parts of a form, one below the other. */
export function Folds({ children }: { children: ReactNode }) {
  return <div className={css.folds}>{children}</div>;
}

interface FoldProps {
  title: string;
  /** What is inside, or holds, in a few words beside the title. */
  holds?: ReactNode;
  /** What opening it is for, in one word at the end of the line: "Change". */
  act?: string;
  /** Open at first. */
  isOpen?: boolean;
  onOpen?: () => void;
  children: ReactNode;
}

/** A part of a page that is folded until its reader opens it. Its fields keep what is typed while they are folded. */
export function Fold({ title, holds, act, isOpen, onOpen, children }: FoldProps) {
  // Afterwards it is the reader who opens and folds it.
  const [startsOpen] = useState(isOpen);
  return (
    <details className={css.fold} open={startsOpen} onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary className={line.summary}>
        <span className={css.title}>
          <span className={css.name}>{title}</span>
          {holds && (
            <span className={css.holds} dir="auto">
              {holds}
            </span>
          )}
        </span>
        {act && (
          <span className={css.act} aria-hidden="true">
            {act}
          </span>
        )}
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
