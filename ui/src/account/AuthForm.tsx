import type { ReactNode, SubmitEvent } from "react";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { useFocusBack } from "../kit/ui/useFocusBack";
import css from "./AuthLayout.module.css";

interface AuthFormProps {
  /** Shown above the form. */
  error?: string | false;
  /** Whether the last attempt failed: the focus then goes back into the form. */
  failed: boolean;
  /** Whether the form is being sent, which disables it. */
  pending: boolean;
  /** The button's label, and its label while the form is being sent. */
  labels: readonly [label: string, busy: string];
  onSubmit: () => void;
  children: ReactNode;
}

/** The form of a sign-in page: an error, the fields, and one button. */
export function AuthForm({ error, failed, pending, labels: [label, busy], onSubmit, children }: AuthFormProps) {
  const form = useFocusBack(failed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <>
      {error && <Alert className={css.alert}>{error}</Alert>}
      <form className={css.form} ref={form} onSubmit={submit}>
        <fieldset className="form" disabled={pending}>
          {children}
          <Button type="submit" variant="primary" wide busy={pending && busy}>
            {label}
          </Button>
        </fieldset>
      </form>
    </>
  );
}
