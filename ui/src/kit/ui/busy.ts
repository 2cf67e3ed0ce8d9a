import { createContext, use, useCallback, useEffect, useState } from "react";

interface Foot {
  /** Whether a button of the foot says that its action is in progress. */
  isBusy: boolean;
  /** Called by such a button with 1 at the begin, and with -1 at the end. */
  count: (by: 1 | -1) => void;
}

/** What the buttons in the foot of a dialog share with it. */
export const FootContext = createContext<Foot>({ isBusy: false, count: () => {} });

/** The state of a dialog's foot. */
export function useFoot(): Foot {
  const [running, setRunning] = useState(0);
  const count = useCallback((by: 1 | -1) => setRunning((before) => before + by), []);
  return { isBusy: running > 0, count };
}

/** Tells the dialog around a button that its action is in progress. */
export function useBusy(isBusy: boolean): void {
  const { count } = use(FootContext);
  useEffect(() => {
    if (!isBusy) return;
    count(1);
    return () => count(-1);
  }, [isBusy, count]);
}
