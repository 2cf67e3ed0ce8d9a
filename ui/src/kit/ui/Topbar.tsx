import type { ReactNode } from "react";
import { Brand } from "./Brand";
import css from "./Topbar.module.css";

interface TopbarProps {
  /** The address that the logo links to. */
  home: string;
  /** The links; on phones a row of their own. */
  nav?: ReactNode;
  /** At the right: buttons, the account menu. */
  children?: ReactNode;
}

/** The header's frame: 60 px high, on phones 52 and a row for the links. With very large text the buttons have a row of their own. */
export function Topbar({ home, nav, children }: TopbarProps) {
  return (
    <header className={css.bar}>
      <div className={`wrap ${css.inside}`}>
        <Brand href={home} />
        {nav}
        <div className={css.end}>{children}</div>
      </div>
    </header>
  );
}
