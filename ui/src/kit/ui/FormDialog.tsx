import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { errorMessage, fieldsOf, InvalidFields } from "../api/client";
import { Alert } from "./Alert";
import { Button } from "./Button";
import { Dialog, DialogClose } from "./Dialog";
import { FieldErrors } from "./Field";
import type { IconName } from "./Icon";
import { RestoredNote } from "./RestoredNote";
import { useIsShown } from "./useIsShown";

export interface FormDialogProps<Result> {
  title: ReactNode;
  /** One sentence below the title. */
  text?: ReactNode;
  /** The fields. A {@link Field} with a name shows what the server says about the field of that name. */
  children: ReactNode;
  /** The label of the button that sends the form, and its label meanwhile. */
  label: ReactNode;
  busy?: string;
  /** Sends the form. It rejects with an error of the API, or with `InvalidFields`. */
  action: () => Promise<Result>;
  /** Called after the action in place of `onClose`. */
  onDone?: (result: Result) => void;
  onClose: () => void;
  /** A second action of the form, such as the removal of what it is about; the dialog closes after it. */
  second?: { label: string; busy: string; icon?: IconName; action: () => Promise<unknown> };
  /** What was typed. It is forgotten after the action and on Cancel. */
  draft?: { isRestored: boolean; startOver: () => void; forget: () => void };
  /** The sentence for a failure that has none of its own, or what to say about each. */
  failed?: string | ((error: unknown) => ReactNode);
  /** What could not be done, above the reason. */
  failedTitle?: string;
  /** Whether the server, instead of the browser, says which fields are missing or wrong. */
  noValidate?: boolean;
  disabled?: boolean;
  /** Whether it has room for two columns of fields. */
  wide?: boolean;
  /** Whether the button is red. */
  destructive?: boolean;
  /** More buttons at the left of Cancel, to be disabled while the form is sent. */
  foot?: (isRunning: boolean) => ReactNode;
  /** What is shown in place of the form after the action: a link or a password that it has made. */
  made?: (result: Result) => Omit<MadeDialogProps, "onClose">;
}

/**
 * A dialog with a form. While it is being sent nothing closes it. A refusal is shown beside its field, and above the form when no field shows
 * it; the focus goes to the first refused field, otherwise to the button.
 */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, text, label, onClose, second, draft, failed = "Please try again." } = props;
  const { busy = "Saving...", onDone = onClose } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isShown = useIsShown();
  const [shown] = useState(() => new Set<string>());
  const [running, setRunning] = useState<"first" | "second">();
  const [made, setMade] = useState<Omit<MadeDialogProps, "onClose">>();
  const [failure, setFailure] = useState<{ error: unknown; isAtField: boolean }>();
  const errors = failure ? fieldsOf(failure.error) : {};

  const run = async <T,>(which: "first" | "second", action: () => Promise<T>, done: (result: T) => void) => {
    setFailure(undefined);
    setRunning(which);
    try {
      const result = await action();
      draft?.forget();
      // The reader may have left the page.
      if (isShown.current) done(result);
    } catch (error) {
      const isAtField = error instanceof InvalidFields || Object.keys(fieldsOf(error)).some((name) => shown.has(name));
      setFailure({ error, isAtField });
    } finally {
      setRunning(undefined);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A dialog that this one opens is within its form for React.
    event.stopPropagation();
    if (running) return;
    run("first", props.action, (result) => (props.made ? setMade(props.made(result)) : onDone(result)));
  };
  useEffect(() => {
    if (!failure) return;
    const refused = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input');
    (refused ?? button.current)?.focus();
  }, [failure]);

  // The same dialog as that of the form, so that the focus goes back to what opened it.
  if (made) return <Dialog onClose={onClose} {...made} foot={DONE} />;
  return (
    <Dialog
      onClose={onClose}
      busy={running !== undefined}
      wide={props.wide}
      title={title}
      text={text}
      foot={
        <>
          {second && (
            <Button
              variant="quiet"
              icon={second.icon}
              busy={running === "second" && second.busy}
              disabled={running !== undefined}
              onClick={() => run("second", second.action, onClose)}
            >
              {second.label}
            </Button>
          )}
          {props.foot?.(running !== undefined)}
          <DialogClose>
            <Button disabled={running !== undefined} onClick={draft?.startOver}>
              Cancel
            </Button>
          </DialogClose>
          <Button
            ref={button}
            type="submit"
            form={id}
            variant={props.destructive ? "danger" : "primary"}
            disabled={props.disabled || running !== undefined}
            busy={running === "first" && busy}
          >
            {label}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} noValidate={props.noValidate} onSubmit={submit}>
        <fieldset className="form" disabled={running !== undefined}>
          {draft?.isRestored && <RestoredNote onStartOver={draft.startOver} />}
          {failure && !failure.isAtField && (
            <Alert>
              {props.failedTitle && <strong>{props.failedTitle}</strong>}
              {typeof failed === "string" ? errorMessage(failure.error, failed) : failed(failure.error)}
            </Alert>
          )}
          <FieldErrors value={{ errors, shown }}>{props.children}</FieldErrors>
        </fieldset>
      </form>
    </Dialog>
  );
}

interface MadeDialogProps {
  title: ReactNode;
  text: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

const DONE = (
  <DialogClose>
    <Button variant="primary">Done</Button>
  </DialogClose>
);

/** A dialog that shows something, and has nothing to ask. */
export function MadeDialog(props: MadeDialogProps) {
  return <Dialog {...props} foot={DONE} />;
}
