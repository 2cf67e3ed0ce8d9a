import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Popover.module.css";

interface PopoverProps {
  /** The one button that opens it. */
  trigger: ReactNode;
  /** What the popover is, for screen readers. */
  label: string;
  children: ReactNode;
  align?: "start" | "end";
  /** Below the content, on a rule: Clear and Done. */
  foot?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
}

/** A floating panel with controls in it. Escape closes it and gives the focus back. */
export function Popover({
  trigger,
  label,
  children,
  align = "start",
  foot,
  open,
  onOpenChange,
  className,
}: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
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

/** Closes the popover that it stands in: `<PopoverClose><Button>Done</Button></PopoverClose>`. */
export function PopoverClose({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}
