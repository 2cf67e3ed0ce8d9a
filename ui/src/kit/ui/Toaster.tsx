import { Toast } from "radix-ui";
import { type FocusEvent, useEffect, useRef } from "react";
import { TextButton } from "./Button";
import { TOASTS } from "./CloseOnEscape";
import { Icon } from "./Icon";
import css from "./Toaster.module.css";
import { dismiss, type Shown } from "./toast";

/** Milliseconds that a toast stays, unless it is hovered or focused. */
const STAYS = 5_000;
/** Pixels after which a swipe to the right dismisses a toast. */
const SWIPE = 50;

/** The toasts at the lower right; F8 moves the focus to them. */
export default function Toaster({ shown }: { shown: readonly Shown[] }) {
  const before = useRef<HTMLElement>(null);
  // The last toast takes the focus with it, which goes back to where it was.
  useEffect(
    () => () => {
      const { activeElement, body } = document;
      const back = before.current?.isConnected ? before.current : document.querySelector("h1");
      if (before.current && activeElement === body) back?.focus();
    },
    [],
  );
  const remember = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  return (
    <Toast.Provider duration={STAYS} swipeDirection="right" swipeThreshold={SWIPE} label="Notice">
      {shown.map(({ id, title, description, undo, destructive }) => (
        <Toast.Root
          key={id}
          className={css.toast}
          data-destructive={destructive || undefined}
          type={destructive ? "foreground" : "background"}
          onOpenChange={(stays) => stays || dismiss(id)}
        >
          <Icon name={destructive ? "alert" : "ok"} />
          <div className={css.body}>
            <Toast.Title className={css.title}>{title}</Toast.Title>
            {description && <Toast.Description>{description}</Toast.Description>}
            {undo && (
              <Toast.Action altText="Undo" asChild>
                <TextButton onClick={undo}>Undo</TextButton>
              </Toast.Action>
            )}
          </div>
          <Toast.Close className={css.close} aria-label="Dismiss">
            <Icon name="x" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        {...TOASTS}
        className={css.viewport}
        onFocus={remember}
        hotkey={["F8"]}
        label="Notices ({hotkey})"
      />
    </Toast.Provider>
  );
}
