import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation, useParams } from "wouter";
import { ApiError, errorMessage, fieldsOf } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { LinkButton } from "../kit/ui/Button";
import { Link } from "../kit/ui/Link";
import { AccountName } from "./AccountFields";
import { AuthForm } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { NewPasswordField } from "./NewPasswordField";
import { resetAccountQuery, useResetPassword } from "./reset";

/** The page that a link to a new password opens. */
export default function ResetPasswordPage() {
  const { token = "" } = useParams<{ token: string }>();
  const reset = useResetPassword(token);
  const expired = reset.error instanceof ApiError && reset.error.status === 400;
  return (
    <AuthLayout title="Set a new password" after={<Link href={paths.login()}>Back to log in</Link>}>
      {expired ? <Expired /> : <ResetForm token={token} reset={reset} />}
    </AuthLayout>
  );
}

/** The link no longer works. A new one is requested on the same page as the first. */
function Expired() {
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <div className={css.said} ref={said} tabIndex={-1}>
      <Alert className={css.alert}>This link has already been used, or it has expired.</Alert>
      <LinkButton className={css.form} variant="primary" wide href={paths.forgotPassword()}>
        Send a new link
      </LinkButton>
    </div>
  );
}

function ResetForm({ token, reset }: { token: string; reset: ReturnType<typeof useResetPassword> }) {
  const { data: account } = useQuery(resetAccountQuery(token));
  const [, navigate] = useLocation();
  const [password, setPassword] = useState("");
  const submit = () => reset.mutate(password, { onSuccess: () => navigate(paths.login({ reset: "done" })) });
  const refused = fieldsOf(reset.error).password;
  return (
    <>
      <p className={css.text}>
        Every session that is open now ends, and all API tokens, secret links, device logins and connected sign-in
        providers are removed. Sharing with a team stops.
      </p>
      <AuthForm
        error={reset.isError && !refused && errorMessage(reset.error, "The password could not be set.")}
        failed={reset.isError}
        pending={reset.isPending}
        labels={["Set Password", "Saving..."]}
        onSubmit={submit}
      >
        {account && <AccountName email={account.email} />}
        <NewPasswordField label="New password" error={refused} onType={setPassword} />
      </AuthForm>
    </>
  );
}
