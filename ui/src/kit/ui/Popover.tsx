import { Popover as Radix } from "radix-ui";
import { type ComponentProps, type ReactElement, type ReactNode, useState } from "react";
import { CloseOnEscape } from "./CloseOnEscape";
import css from "./Popover.module.css";

interface PopoverProps {
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

/** A floating panel with controls. Escape closes it and returns the focus. */
export function Popover(props: PopoverProps) {
  const { trigger, label, children, align = "start", foot, open, onOpenChange, className } = props;
  const [isOpen, setOpen] = useState(false);
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

/** Closes the popover that contains it: `<PopoverClose><Button>Done</Button></PopoverClose>`. */
export function PopoverClose({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}
