import { Dialog as Radix, AlertDialog as RadixAlert } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { errorMessage } from "../api/client";
import { Alert } from "./Alert";
import { Button } from "./Button";
import { CloseOnEscape } from "./CloseOnEscape";
import css from "./Dialog.module.css";
import { useIsShown } from "./useIsShown";

interface DialogProps {
  /** Called by Escape, by a press outside, and by the buttons in {@link DialogClose}. */
  onClose: () => void;
  /** Whether something is under way whose outcome must be shown: nothing closes the dialog then. */
  busy?: boolean;
  title: ReactNode;
  /** One sentence below the title. */
  text?: ReactNode;
  children?: ReactNode;
  /** The buttons, the safe one first. */
  foot?: ReactNode;
  /** Whether it has room for two columns of fields. */
  wide?: boolean;
  /** Near the upper edge of the window, so that it grows downwards, and with less room around its content. */
  atTop?: boolean;
}

/**
 * A modal dialog. The focus goes to its first control; Escape cancels. One with a form is a {@link FormDialog}.
 */
export function Dialog(props: DialogProps) {
  return <Modal {...props} />;
}

/** A dialog at the lower edge of a phone, with a fixed foot. */
export function Sheet(props: DialogProps) {
  return <Modal {...props} sheet />;
}

/**
 * Returns the focus to the element that opened a dialog. A dialog that was opened from a menu returns it to the menu's
 * button, because the menu item no longer exists.
 */
function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    remember: () => {
      const active = document.activeElement;
      const button = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
      opener.current = button ? document.getElementById(button) : active instanceof HTMLElement ? active : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      opener.current?.focus();
    },
  };
}

/** When a dialog begins with radios, the focus goes to the chosen one of them, as with Tab, instead of to the first. */
function startAtChosen(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  const first = dialog.querySelector("input, select, textarea, button");
  if (!(first instanceof HTMLInputElement) || first.type !== "radio") return;
  const group = [...dialog.querySelectorAll<HTMLInputElement>('[type="radio"]:checked')];
  const chosen = group.find(({ name }) => name === first.name);
  if (!chosen) return;
  event.preventDefault();
  chosen.focus();
}

function Modal({ onClose, busy, title, text, children, foot, wide, atTop, sheet }: DialogProps & { sheet?: boolean }) {
  const { remember, onCloseAutoFocus } = useFocusReturn();
  const close = () => busy || onClose();
  return (
    <Radix.Root open onOpenChange={close}>
      <Radix.Portal>
        <Radix.Overlay className={css.scrim} />
        <Radix.Content
          className={css.dialog}
          data-sheet={sheet || undefined}
          data-wide={wide || undefined}
          data-at-top={atTop || undefined}
          onOpenAutoFocus={(event) => {
            remember();
            startAtChosen(event);
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          {...(text ? {} : { "aria-describedby": undefined })}
        >
          <CloseOnEscape close={close} />
          <Radix.Title className="h2">{title}</Radix.Title>
          {text && <Radix.Description className={css.text}>{text}</Radix.Description>}
          {children}
          {foot && <div className={css.foot}>{foot}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the dialog that contains it: `<DialogClose><Button>Cancel</Button></DialogClose>`. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}

interface AlertDialogProps {
  /** Called by the safe button, by Escape, and after the action. */
  onClose: () => void;
  title: ReactNode;
  /** What will happen, and whether it can be undone. */
  text: ReactNode;
  /** The object of the action, repeated. */
  children?: ReactNode;
  /** The label of the safe button, which has the focus: "Keep book". */
  cancel: string;
  /** The label of the confirming button: "I'm sure". */
  confirm: string;
  /** What is done then. Nothing closes the dialog before its end; a failure is shown in it. */
  action: () => unknown;
  /** Whether the confirming button is red; the default is true. */
  destructive?: boolean;
  /** The confirming button's label until the action has ended. */
  busy?: string;
  /** The sentence for a failure that has none of its own. */
  failed?: string;
  /** What could not be done, above the reason. */
  failedTitle?: string;
  /** Disables the confirming button until its condition holds. */
  disabled?: boolean;
}

/** Asks before an action that cannot be undone. The focus is on the safe button, and only a button closes the dialog. */
export function AlertDialog(props: AlertDialogProps) {
  const { onClose, title, text, children, cancel, confirm, action, destructive = true, disabled } = props;
  const { busy = "Please wait...", failed = "That did not work.", failedTitle } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isShown = useIsShown();
  const close = () => isBusy || onClose();
  const act = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
      if (isShown.current) onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const safe = useRef<HTMLButtonElement>(null);
  const { remember, onCloseAutoFocus } = useFocusReturn();
  return (
    <RadixAlert.Root open onOpenChange={close}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={css.scrim} />
        <RadixAlert.Content
          className={css.dialog}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            remember();
            safe.current?.focus();
          }}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <CloseOnEscape close={close} />
          <RadixAlert.Title className="h2">{title}</RadixAlert.Title>
          <RadixAlert.Description className={css.text}>{text}</RadixAlert.Description>
          {children}
          {error !== undefined && (
            <Alert className={css.failure}>
              {failedTitle && <strong>{failedTitle}</strong>}
              {errorMessage(error, failed)}
            </Alert>
          )}
          <div className={css.foot}>
            <RadixAlert.Cancel asChild>
              <Button ref={safe} disabled={isBusy}>
                {cancel}
              </Button>
            </RadixAlert.Cancel>
            <Button
              variant={destructive ? "danger" : "primary"}
              busy={isBusy && busy}
              disabled={disabled}
              onClick={act}
            >
              {confirm}
            </Button>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}

/** The object of a dialog, repeated on a sunken background. */
export function DialogItem({ children }: { children: ReactNode }) {
  return <div className={css.item}>{children}</div>;
}
