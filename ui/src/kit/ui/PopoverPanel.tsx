import { Popover as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { CloseOnEscape } from "./CloseOnEscape";
import type { PanelProps } from "./Popover";
import css from "./Popover.module.css";

/** The popover itself, open from the start. It is rendered when its button has been pressed for the first time. */
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
  const [isOpen, setOpen] = useState(true);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Radix.Root open={open ?? isOpen} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={className ? `${css.popover} ${className}` : css.popover}
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={16}
        >
          <CloseOnEscape close={() => change(false)} />
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
