import { useCallback, useState } from "react";

/** A dynamic import, or several. Asked twice it answers the same. */
export type Load<Parts> = () => Promise<Parts>;

/**
 * Code that comes with its first use. `fetch` settles once `parts` are there. What cannot be fetched is thrown into the
 * page, as for the code of a page.
 */
export function useOnDemand<Parts>(load: Load<Parts>): { parts: Parts | null; fetch: () => Promise<void> } {
  const [state, setState] = useState<{ parts: Parts } | { error: unknown } | null>(null);
  if (state && "error" in state) throw state.error;
  const fetch = useCallback(
    () =>
      load().then(
        (parts) => setState({ parts }),
        (error) => setState({ error }),
      ),
    [load],
  );
  return { parts: state?.parts ?? null, fetch };
}

/** For a control that will soon be used: its code is under way while the pointer or the focus is on it. */
export function fetchedAhead(load: Load<unknown>): { onPointerEnter: () => void; onFocus: () => void } {
  // A failure shows when the control is used.
  const ahead = () => void load().catch(() => undefined);
  return { onPointerEnter: ahead, onFocus: ahead };
}
