import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Tooltip.module.css";

/** Tips come after 700 ms, and at once within 300 ms of another. Once, around the signed-in pages. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

/** A note on the one control inside it, on hover and on focus. Never the only place where something is said. */
export function Tooltip({ tip, children }: { tip: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={css.tip} sideOffset={6} collisionPadding={16}>
          {tip}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
