import type { ReactNode } from "react";
import css from "./DefinitionRows.module.css";

interface DefinitionRowsProps {
  children: ReactNode;
  /** Without the rule above, when the section has a rule of its own. */
  plain?: boolean;
  className?: string;
}

/** Names with their values on ruled rows. */
export function DefinitionRows({ children, plain, className }: DefinitionRowsProps) {
  return (
    <dl className={className ? `${css.rows} ${className}` : css.rows} data-plain={plain || undefined}>
      {children}
    </dl>
  );
}

interface DefinitionRowProps {
  name: ReactNode;
  children: ReactNode;
  /** One quiet action at the right. */
  action?: ReactNode;
}

export function DefinitionRow({ name, children, action }: DefinitionRowProps) {
  return (
    <div className={css.row} data-acts={action ? true : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {action && <dd className={css.action}>{action}</dd>}
    </div>
  );
}
