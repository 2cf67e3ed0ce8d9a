import { useState } from "react";

/** A choice that is off at first, then as it was chosen in this browser. Without a key it lasts as long as the page. */
export function useRemembered(key: string | undefined): [isOn: boolean, choose: (isOn: boolean) => void] {
  const stored = (isOn?: boolean): boolean => {
    if (key === undefined) return isOn === true;
    try {
      if (isOn !== undefined) localStorage[key] = isOn;
      return localStorage[key] === "true";
    } catch {
      // Storage may be blocked: the choice applies to this page only.
      return isOn === true;
    }
  };
  const [isOn, setOn] = useState(() => stored());
  return [isOn, (chosen) => setOn(stored(chosen))];
}
