import { type ReactNode, useId } from "react";
import css from "./Block.module.css";

interface BlockProps {
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A titled section of a settings page. */
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

/** A title and a sentence below an ink rule, with a button. */
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

/** Rows below a red rule, for actions that cannot be undone. */
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
