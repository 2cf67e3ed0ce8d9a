import { type ReactNode, useId } from "react";
import css from "./Step.module.css";

interface StepProps {
  title: string;
  /** At the right of the title. */
  side?: ReactNode;
  children: ReactNode;
}

/** One step of a task: a rule, a title, and its content. */
export function Step({ title, side, children }: StepProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={css.head}>
        <h2 className="h3" id={id}>
          {title}
        </h2>
        {typeof side === "string" ? <p className="hint">{side}</p> : side}
      </div>
      {children}
    </section>
  );
}
