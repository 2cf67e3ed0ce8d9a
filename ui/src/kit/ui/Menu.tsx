import { DropdownMenu } from "radix-ui";
import { type ComponentProps, type ReactElement, type ReactNode, useState } from "react";
import { CloseOnEscape } from "./CloseOnEscape";
import { Icon, type IconName } from "./Icon";
import { Link } from "./Link";
import css from "./Menu.module.css";

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<ComponentProps<"button">>;
  /** Shown above the items, for example the account's name. */
  head?: ReactNode;
  align?: "start" | "end";
  children: ReactNode;
}

/** A list of actions below a button. The arrow keys move, and Escape closes the menu and returns the focus. */
export function Menu({ trigger, head, align = "end", children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* In the landmark of the page, where people who go from landmark to landmark find it. */}
      <DropdownMenu.Portal container={document.querySelector("main")}>
        <DropdownMenu.Content className={css.menu} align={align} sideOffset={6} collisionPadding={16}>
          <CloseOnEscape close={() => setOpen(false)} />
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

/** An item with an action. */
export function MenuItem({
  icon,
  onSelect,
  destructive,
  disabled,
  children,
}: ItemProps & { onSelect: () => void; destructive?: boolean; disabled?: boolean }) {
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

/** An item that links to another page of the interface. */
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
