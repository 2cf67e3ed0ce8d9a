import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { openPage } from "../origin";
import { Link } from "./Link";
import { bringToMiddle } from "./middle";
import css from "./Tabs.module.css";

interface TabsProps {
  /** The name of the tab list: "Account". */
  label: string;
  tabs: readonly { id: string; label: string; href: string }[];
  /** The id of the current tab. */
  current: string;
  /** The current tab's content. */
  children: ReactNode;
  className?: string;
}

/**
 * Tabs whose state is in the address. Left, right, Home and End move and open at once, because each tab's page is
 * already loaded.
 */
export function Tabs({ label, tabs, current, children, className }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);

  // On phones the tabs scroll: the current one is brought into the middle.
  useLayoutEffect(() => {
    bringToMiddle(list.current, `#tab-${current}`);
  }, [current]);

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === current);
    const last = tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const tab = to === undefined ? undefined : tabs[to];
    if (!tab) return;
    event.preventDefault();
    openPage(tab.href);
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };

  return (
    <>
      <div className={css.tabs} role="tablist" aria-label={label} ref={list} onKeyDown={move} tabIndex={-1}>
        {tabs.map((tab) => (
          <Link
            key={tab.id}
            id={`tab-${tab.id}`}
            href={tab.href}
            className={css.tab}
            role="tab"
            aria-selected={tab.id === current}
            aria-controls={tab.id === current ? `panel-${tab.id}` : undefined}
            tabIndex={tab.id === current ? 0 : -1}
          >
            {tab.label}
          </Link>
        ))}
      </div>
      <div className={className} role="tabpanel" id={`panel-${current}`} aria-labelledby={`tab-${current}`}>
        {children}
      </div>
    </>
  );
}
