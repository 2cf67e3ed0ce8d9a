import { type ReactNode, useId } from "react";
import css from "./Block.module.css";

interface BlockProps {
  title: string;
  /** One sentence under the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page of settings. */
export function Block({ title, lead, children }: BlockProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={css.head}>
        <h2 className="h2" id={id}>
          {title}
        </h2>
        {lead && <p className="muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

interface ActRowProps {
  title: ReactNode;
  hint: ReactNode;
  /** The button at the right. */
  children: ReactNode;
}

/** A titled sentence under an ink rule, and what can be done about it. */
export function ActRow({ title, hint, children }: ActRowProps) {
  return (
    <div className={css.act}>
      <div>
        <h2 className="h3">{title}</h2>
        <p className="hint">{hint}</p>
      </div>
      {children}
    </div>
  );
}

/** Rows under a red rule: what cannot be taken back. */
export function DangerRows({ children }: { children: ReactNode }) {
  return <div className={css.dangers}>{children}</div>;
}

export function DangerRow({ title, hint, children }: ActRowProps) {
  return (
    <div className={css.danger}>
      <div>
        <p className="label">{title}</p>
        <p className="hint">{hint}</p>
      </div>
      {children}
    </div>
  );
}
