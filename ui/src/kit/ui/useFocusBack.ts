import { type RefObject, useEffect, useRef } from "react";

/**
 * For a form that is disabled while it is sent, and so loses the focus. After a failure the focus goes to the first
 * refused field, otherwise back to the button.
 */
export function useFocusBack(failed: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!failed) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find('[aria-invalid="true"]') ?? find('[type="submit"]'))?.focus();
  }, [failed]);
  return form;
}
