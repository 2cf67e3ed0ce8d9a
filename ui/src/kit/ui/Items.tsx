import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";
import css from "./Items.module.css";

/** Ruled rows of things that one can do something with: sessions, tokens, invitations. */
export function Items({ children }: { children: ReactNode }) {
  return <ul className={css.items}>{children}</ul>;
}

interface ItemProps {
  icon?: IconName;
  title: ReactNode;
  badge?: ReactNode;
  hint: ReactNode;
  /** One quiet action at the right. */
  action?: ReactNode;
}

export function Item({ icon, title, badge, hint, action }: ItemProps) {
  return (
    <li className={css.item}>
      {icon && <Icon name={icon} />}
      <div className={css.body}>
        <p className={css.title}>
          {title} {badge}
        </p>
        <p className="hint">{hint}</p>
      </div>
      {action && <div className={css.action}>{action}</div>}
    </li>
  );
}
