import { useCallback, useState } from "react";

/** A dynamic import, or several. Calling it twice returns the same parts. */
export type Load<Parts> = () => Promise<Parts>;

/**
 * Loads code with its first use. `fetch` settles when `parts` are loaded. A failure is thrown to the page's error
 * boundary, like a failure to load a page.
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

/** Starts loading the code of a control while the pointer or the focus is on it. */
export function fetchedAhead(load: Load<unknown>): { onPointerEnter: () => void; onFocus: () => void } {
  // A failure shows when the control is used.
  const ahead = () => void load().catch(() => undefined);
  return { onPointerEnter: ahead, onFocus: ahead };
}
