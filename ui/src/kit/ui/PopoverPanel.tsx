import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import type { PanelProps } from "./Popover";
import css from "./Popover.module.css";

/** The popover itself, open from the start: it is drawn when its button has been pressed for the first time. */
export function PopoverPanel({
  trigger,
  label,
  children,
  align = "start",
  foot,
  open,
  onOpenChange,
  className,
}: PanelProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={className ? `${css.popover} ${className}` : css.popover}
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={16}
        >
          {children}
          {foot && <div className={css.foot}>{foot}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function Close({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}
