import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useState,
} from "react";
import type { IconName } from "./Icon";
import { fetchedAhead, useOnDemand } from "./useOnDemand";

const load = () => import("./MenuPanel");
const Panel = createContext<Awaited<ReturnType<typeof load>> | null>(null);

export interface MenuProps {
  /** The one button that opens it. */
  trigger: ReactElement<ComponentProps<"button">>;
  /** What stands above the items: whose menu it is. */
  head?: ReactNode;
  align?: "start" | "end";
  children: ReactNode;
}

/**
 * A list of actions below a button. Arrow keys move, Escape closes and gives the focus back. What unfolds is fetched with
 * the first use; till then there is the button alone.
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
    // The keyboard's click has no count.
    onClick: (event: MouseEvent) => open(event.detail === 0 ? "keyboard" : "pointer"),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      open("keyboard");
    },
  });
}

export interface ItemProps {
  icon?: IconName;
  children: ReactNode;
}

export type MenuItemProps = ItemProps & { onSelect: () => void; destructive?: boolean; disabled?: boolean };
export type MenuLinkProps = ItemProps & { href: string };

/** An item that does something. */
export function MenuItem(props: MenuItemProps) {
  const panel = use(Panel);
  return panel && <panel.Item {...props} />;
}

/** An item that leads to another page of the program. */
export function MenuLink(props: MenuLinkProps) {
  const panel = use(Panel);
  return panel && <panel.LinkItem {...props} />;
}

export function MenuRule() {
  const panel = use(Panel);
  return panel && <panel.Rule />;
}
