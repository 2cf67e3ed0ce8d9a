import type { KeyboardEvent } from "react";

/**
 * What a floating part does with Escape when a toast has come after it. To Radix a toast is a layer like any other, and
 * the newest layer alone hears the key: the toast went and the dialog that has the focus stayed. A key that Radix did
 * close something with is prevented, and one pressed in a part that lies over this one is that part's.
 */
export function closesOnEscape(close: () => void) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const isInside = event.currentTarget.contains(event.target as Node);
    if (event.key === "Escape" && isInside && !event.defaultPrevented) close();
  };
}
