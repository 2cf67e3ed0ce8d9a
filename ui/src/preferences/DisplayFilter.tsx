import { useEffect, useRef } from "react";
import { useCan } from "../access/subscription";
import { Button } from "../kit/ui/Button";
import css from "./DisplayFilter.module.css";
import { filterOf, isHardToRead } from "./display";
import { useDisplay, useResetDisplay } from "./useDisplay";

/**
 * Applies the reader's page filter to the root element; the defaults need none. Alt+Shift+0 restores the defaults on
 * every page. When the page may have become unreadable, a button that the filter does not affect restores them, too.
 */
export function DisplayFilter() {
  const display = useDisplay();
  const can = useCan();
  const reset = useResetDisplay();
  const filter = filterOf(display);
  const mayReset = can("custom_themes") && filter !== "";

  useEffect(() => {
    document.documentElement.style.filter = filter;
    return () => {
      document.documentElement.style.filter = "";
    };
  }, [filter]);

  useEffect(() => {
    if (!mayReset) return;
    const back = (event: KeyboardEvent) => {
      if (!event.altKey || !event.shiftKey || event.code !== "Digit0") return;
      event.preventDefault();
      reset();
    };
    document.addEventListener("keydown", back);
    return () => document.removeEventListener("keydown", back);
  }, [mayReset, reset]);

  return mayReset && isHardToRead(display) ? <Rescue onReset={reset} /> : null;
}

/** Rendered in the browser's top layer, which is outside the root element's filter. */
function Rescue({ onReset }: { onReset: () => void }) {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => layer.current?.showPopover?.(), []);
  return (
    <div className={css.rescue} ref={layer} popover="manual">
      <p>Hard to read?</p>
      <Button size="compact" onClick={onReset}>
        Back to defaults
      </Button>
    </div>
  );
}
