import { Popover as Radix } from "radix-ui";
import { type ComponentProps, type ReactElement, type ReactNode, useState } from "react";
import { CloseOnEscape } from "./CloseOnEscape";
import css from "./Popover.module.css";

export interface PopoverPanelProps {
  /** The button that opens the popover. */
  trigger: ReactElement<ComponentProps<"button">>;
  /** The popover's name for screen readers. */
  label: string;
  children: ReactNode;
  align?: "start" | "end";
  /** Below the content, on a rule: Clear and Done. */
  foot?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
}

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
}: PopoverPanelProps) {
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
