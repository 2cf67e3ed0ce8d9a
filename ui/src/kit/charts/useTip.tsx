import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import css from "./Tip.module.css";

/** Milliseconds of hovering before a tip shows. */
const DELAY = 700;
/** Within this many milliseconds after another tip, a tip shows at once. */
const SKIP = 300;
/** Distance in px between a tip and its target. */
const GAP = 12;

/** The point that a tip points to, in px from the left and top edge of its stage. */
export interface TipPlace {
  x: number;
  y: number;
}

interface Shown {
  place: TipPlace;
  content: ReactNode;
}

/**
 * A tooltip over a drawing. It shows after 700 ms of hovering, at once within 300 ms of the last tip, and at once on
 * request (focus, touch). Place `tip` in the stage, which must be a positioned element.
 */
export function useTip() {
  const [shown, setShown] = useState<Shown | null>(null);
  const waiting = useRef(0);
  const closedAt = useRef(Number.NEGATIVE_INFINITY);
  const isOpen = useRef(false);

  const hide = useCallback(() => {
    window.clearTimeout(waiting.current);
    if (isOpen.current) closedAt.current = performance.now();
    isOpen.current = false;
    setShown(null);
  }, []);

  const show = useCallback((place: TipPlace, content: ReactNode, when: "hover" | "now" = "hover") => {
    window.clearTimeout(waiting.current);
    const open = () => {
      isOpen.current = true;
      setShown({ place, content });
    };
    if (when === "now" || isOpen.current || performance.now() - closedAt.current < SKIP) open();
    else waiting.current = window.setTimeout(open, DELAY);
  }, []);

  useEffect(() => () => window.clearTimeout(waiting.current), []);

  return { tip: shown && <Tip place={shown.place}>{shown.content}</Tip>, show, hide };
}

/**
 * The tip stays inside its stage horizontally and is above its target. It is hidden from screen readers, because the
 * drawing has a list or a table beside it.
 */
function Tip({ place, children }: { place: TipPlace; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tip = ref.current;
    const stage = tip?.offsetParent;
    if (!tip || !stage) return;
    const left = Math.max(0, Math.min(stage.clientWidth - tip.offsetWidth, place.x - tip.offsetWidth / 2));
    tip.style.left = `${left}px`;
    tip.style.top = `${place.y - tip.offsetHeight - GAP}px`;
  });
  return (
    <div ref={ref} className={css.tip} aria-hidden="true">
      {children}
    </div>
  );
}
