import { cloneElement, createContext, type KeyboardEvent, type MouseEvent, use, useState } from "react";
import type { MenuItemProps, MenuLinkProps, MenuProps } from "./MenuPanel";
import { fetchedAhead, useOnDemand } from "./useOnDemand";

const load = () => import("./MenuPanel");
const Panel = createContext<Awaited<ReturnType<typeof load>> | null>(null);

/**
 * A list of actions below a button. The arrow keys move, and Escape closes the menu and returns the focus. The code of
 * the menu is fetched with the first use; until then only the button is rendered.
 */
export function Menu(props: MenuProps) {
  const { parts, fetch } = useOnDemand(load);
  const [openedBy, setOpenedBy] = useState<"keyboard" | "pointer" | null>(null);
  if (parts && openedBy) {
    return (
      <Panel value={parts}>
        <parts.MenuPanel {...props} openedBy={openedBy} />
      </Panel>
    );
  }
  const open = (by: "keyboard" | "pointer") => fetch().then(() => setOpenedBy(by));
  return cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    ...fetchedAhead(load),
    // A click by keyboard has the count 0.
    onClick: (event: MouseEvent) => open(event.detail === 0 ? "keyboard" : "pointer"),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      open("keyboard");
    },
  });
}

/** An item with an action. */
export function MenuItem(props: MenuItemProps) {
  const panel = use(Panel);
  return panel && <panel.Item {...props} />;
}

/** An item that links to another page of the interface. */
export function MenuLink(props: MenuLinkProps) {
  const panel = use(Panel);
  return panel && <panel.LinkItem {...props} />;
}

export function MenuRule() {
  const panel = use(Panel);
  return panel && <panel.Rule />;
}
