import { type RefObject, useEffect, useRef } from "react";

/** Whether the component is still in the page, for what follows an answer that its reader may not have waited for. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
