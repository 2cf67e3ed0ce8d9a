import { DropdownMenu } from "radix-ui";
import { type ComponentProps, type FocusEvent, type ReactElement, type ReactNode, useRef, useState } from "react";
import { CloseOnEscape } from "./CloseOnEscape";
import { Icon, type IconName } from "./Icon";
import { Link } from "./Link";
import css from "./Menu.module.css";

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<ComponentProps<"button">>;
  /** Shown above the items, for example the account's name. */
  head?: ReactNode;
  align?: "start" | "end";
  children: ReactNode;
}

export interface ItemProps {
  icon?: IconName;
  children: ReactNode;
}

export type MenuItemProps = ItemProps & { onSelect: () => void; destructive?: boolean; disabled?: boolean };
export type MenuLinkProps = ItemProps & { href: string };

/** The menu itself, open from the start. It is rendered when its button has been pressed for the first time. */
export function MenuPanel({
  trigger,
  head,
  align = "end",
  children,
  openedBy,
}: MenuProps & { openedBy: "keyboard" | "pointer" }) {
  const [open, setOpen] = useState(true);
  // The press came before this component existed. After a press by keyboard the first item gets the focus.
  const goesToFirst = useRef(openedBy === "keyboard");
  const onFocus = ({ target, currentTarget }: FocusEvent) => {
    if (!goesToFirst.current || target !== currentTarget) return;
    goesToFirst.current = false;
    currentTarget.querySelector<HTMLElement>("[role=menuitem]:not([data-disabled])")?.focus();
  };
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* In the landmark of the page, where people who go from landmark to landmark find it. */}
      <DropdownMenu.Portal container={document.querySelector("main")}>
        <DropdownMenu.Content className={css.menu} align={align} sideOffset={6} collisionPadding={16} onFocus={onFocus}>
          <CloseOnEscape close={() => setOpen(false)} />
          {head && <DropdownMenu.Label className={css.head}>{head}</DropdownMenu.Label>}
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function Item({ icon, onSelect, destructive, disabled, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={css.item}
      data-destructive={destructive || undefined}
      disabled={disabled}
      onSelect={onSelect}
    >
      {icon && <Icon name={icon} />}
      {children}
    </DropdownMenu.Item>
  );
}

export function LinkItem({ icon, href, children }: MenuLinkProps) {
  return (
    <DropdownMenu.Item className={css.item} asChild>
      <Link href={href}>
        {icon && <Icon name={icon} />}
        {children}
      </Link>
    </DropdownMenu.Item>
  );
}

export function Rule() {
  return <DropdownMenu.Separator className={css.rule} />;
}
