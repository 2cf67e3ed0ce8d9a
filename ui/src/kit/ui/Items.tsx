import { type DragEvent, type ReactNode, useRef } from "react";
import { Icon, type IconName } from "./Icon";
import css from "./Items.module.css";
import { useRowFocus } from "./useRowFocus";

/** Ruled rows of items with actions: sessions, tokens, invitations. */
export function Items({ bare, children }: ItemsProps) {
  return (
    <ul className={css.items} data-bare={bare || undefined}>
      {children}
    </ul>
  );
}

interface ItemsProps {
  /** Without the rule above, when the section has a rule of its own. */
  bare?: boolean;
  children: ReactNode;
}

interface FocusedItemsProps {
  /** The keys of the rows that may go. */
  rows: readonly unknown[];
  /** What is shown in place of the list without these; unset where the list has other rows, too. */
  empty?: ReactNode;
  children: ReactNode;
}

/** Items that keep the focus among them when one of them goes. */
export function FocusedItems({ rows, empty, children }: FocusedItemsProps) {
  const frame = useRef<HTMLDivElement>(null);
  useRowFocus(frame, rows);
  return (
    <div ref={frame} tabIndex={-1}>
      {rows.length === 0 && empty !== undefined ? empty : <Items>{children}</Items>}
    </div>
  );
}

interface ItemProps {
  /** Its place in a list that is shown in parts. */
  index?: number;
  icon?: IconName;
  title: ReactNode;
  badge?: ReactNode;
  hint: ReactNode;
  /** One quiet action at the right. */
  action?: ReactNode;
  /** Two actions instead of one; on phones they are below the text. */
  actions?: ReactNode;
  /** Takes a file that is dropped on the row. */
  onFile?: (file: File) => void;
}

export function Item({ index, icon, title, badge, hint, action, actions, onFile }: ItemProps) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) onFile?.(file);
  };
  return (
    <li
      className={css.item}
      data-index={index}
      onDragOver={onFile && ((event) => event.preventDefault())}
      onDrop={onFile && drop}
    >
      {icon && <Icon name={icon} />}
      <div className={css.body}>
        <p className={css.title}>
          {title} {badge}
        </p>
        <p className="hint">{hint}</p>
      </div>
      {action && <div className={css.action}>{action}</div>}
      {actions && <div className={css.actions}>{actions}</div>}
    </li>
  );
}
