import { useLayoutEffect, useRef, useState } from "react";

/** The width of the referenced element in whole px, updated when it changes; 0 before the first layout. */
export function useWidth<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const follow = () => setWidth(Math.floor(element.clientWidth));
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
