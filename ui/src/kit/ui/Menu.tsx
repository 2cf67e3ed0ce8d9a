import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Icon, type IconName } from "./Icon";
import css from "./Menu.module.css";

interface MenuProps {
  /** The one button that opens it. */
  trigger: ReactNode;
  /** What stands above the items: whose menu it is. */
  head?: ReactNode;
  align?: "start" | "end";
  children: ReactNode;
}

/** A list of actions below a button. Arrow keys move, Escape closes and gives the focus back. */
export function Menu({ trigger, head, align = "end", children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align={align} sideOffset={6} collisionPadding={16}>
          {head && <DropdownMenu.Label className={css.head}>{head}</DropdownMenu.Label>}
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  icon?: IconName;
  children: ReactNode;
}

/** An item that does something. */
export function MenuItem({ icon, onSelect, destructive, disabled, children }: MenuItemProps) {
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

type MenuItemProps = ItemProps & { onSelect: () => void; destructive?: boolean; disabled?: boolean };

/** An item that leads to another page of the program. */
export function MenuLink({ icon, href, children }: ItemProps & { href: string }) {
  return (
    <DropdownMenu.Item className={css.item} asChild>
      <Link href={href}>
        {icon && <Icon name={icon} />}
        {children}
      </Link>
    </DropdownMenu.Item>
  );
}

export function MenuRule() {
  return <DropdownMenu.Separator className={css.rule} />;
}
