import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useLocation, useParams } from "wouter";
import { ApiError, errorMessage, fieldsOf } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button, LinkButton } from "../kit/ui/Button";
import { Field, Input } from "../kit/ui/Field";
import { Link } from "../kit/ui/Link";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { useResetPassword } from "./reset";

/** The page that a link to a new password opens. */
export default function ResetPasswordPage() {
  const { token = "" } = useParams<{ token: string }>();
  const reset = useResetPassword(token);
  const expired = reset.error instanceof ApiError && reset.error.status === 400;
  return (
    <AuthLayout title="Set a new password" after={<Link href={paths.login()}>Back to log in</Link>}>
      {expired ? <Expired /> : <ResetForm reset={reset} />}
    </AuthLayout>
  );
}

/** The link no longer works. A new one is requested on the same page as the first. */
function Expired() {
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <div className={css.said} ref={said} tabIndex={-1}>
      <Alert className={css.alert}>This link has been used already, or is older than an hour.</Alert>
      <LinkButton className={css.form} variant="primary" wide href={paths.forgotPassword()}>
        Send a new link
      </LinkButton>
    </div>
  );
}

function ResetForm({ reset }: { reset: ReturnType<typeof useResetPassword> }) {
  const [, navigate] = useLocation();
  const form = useFocusBack(reset.isError);
  const [password, setPassword] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    reset.mutate(password, { onSuccess: () => navigate(paths.login({ reset: "done" })) });
  };
  const refused = fieldsOf(reset.error).password;
  return (
    <>
      <p className={css.text}>
        Every session that is open now ends, and all API tokens and connected sign-in providers are removed.
      </p>
      {reset.isError && !refused && (
        <Alert className={css.alert}>{errorMessage(reset.error, "The password could not be set.")}</Alert>
      )}
      <form className={css.form} ref={form} onSubmit={submit}>
        <fieldset className="form" disabled={reset.isPending}>
          <Field label="New password" error={refused}>
            <Input
              type="password"
              required
              name="password"
              autoComplete="new-password"
              placeholder="At least 8 characters"
              minLength={8}
              maxLength={256}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Button type="submit" variant="primary" wide busy={reset.isPending && "Saving..."}>
            Set Password
          </Button>
        </fieldset>
      </form>
    </>
  );
}
