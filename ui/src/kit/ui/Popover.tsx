import { cloneElement, createContext, type ReactNode, use, useCallback, useState } from "react";
import type { PopoverPanelProps } from "./PopoverPanel";
import { fetchedAhead, type Load, useOnDemand } from "./useOnDemand";

const loadPanel = () => import("./PopoverPanel");
const Panel = createContext<Awaited<ReturnType<typeof loadPanel>> | null>(null);

type PopoverProps<Parts> = Omit<PopoverPanelProps, "children"> &
  ({ load?: undefined; children: ReactNode } | { load: Load<Parts>; children: (parts: Parts) => ReactNode });

/**
 * A floating panel with controls. Escape closes it and returns the focus. The panel's code is fetched with the first
 * use, together with the parts that `load` returns for its content. Until then only the button is rendered.
 */
export function Popover<Parts>({ load, children, ...props }: PopoverProps<Parts>) {
  const loadBoth = useCallback(() => Promise.all([loadPanel(), load?.()]), [load]);
  const { parts, fetch } = useOnDemand(loadBoth);
  const [isUsed, setUsed] = useState(false);
  if (parts && isUsed) {
    const [panel, content] = parts;
    return (
      <Panel value={panel}>
        <panel.PopoverPanel {...props}>
          {typeof children === "function" ? children(content as Parts) : children}
        </panel.PopoverPanel>
      </Panel>
    );
  }
  const open = () =>
    fetch().then(() => {
      setUsed(true);
      props.onOpenChange?.(true);
    });
  return cloneElement(props.trigger, {
    "aria-haspopup": "dialog",
    "aria-expanded": false,
    ...fetchedAhead(loadBoth),
    onClick: open,
  });
}

/** Closes the popover that contains it: `<PopoverClose><Button>Done</Button></PopoverClose>`. */
export function PopoverClose({ children }: { children: ReactNode }) {
  const panel = use(Panel);
  return panel && <panel.Close>{children}</panel.Close>;
}
