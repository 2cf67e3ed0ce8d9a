import { lazy, type SubmitEvent, Suspense, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { serverMessage } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Field, Input } from "../kit/ui/Field";
import { Link } from "../kit/ui/Link";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { useLogIn } from "./auth";
import { SocialButtons } from "./SocialButtons";

// Its sentences are fetched only when there is an error to show.
const SocialError = lazy(() => import("./SocialError"));

export default function LoginPage() {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const logIn = useLogIn();
  const form = useFocusBack(logIn.isError);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    logIn.mutate({ email, password }, { onSuccess: () => navigate(destination(next)) });
  };

  const failure = logIn.isError && serverMessage(logIn.error, "Login failed");
  const [socialError, next] = [parameters.get("error"), parameters.get("next")];
  return (
    <AuthLayout
      title="Log in"
      after={
        <>
          New here? <Link href={paths.signup()}>Create an account</Link>
        </>
      }
    >
      {failure && <Alert className={css.alert}>{failure}</Alert>}
      {!failure && socialError && (
        <Suspense>
          <SocialError code={socialError} provider={parameters.get("provider")} className={css.alert} />
        </Suspense>
      )}
      {!failure && parameters.get("reset") === "done" && (
        <Alert kind="note" className={css.alert}>
          Your password is changed. Log in with the new one.
        </Alert>
      )}
      <form className={css.form} ref={form} onSubmit={submit}>
        <fieldset className="form" disabled={logIn.isPending}>
          <Field label="Email">
            <Input
              type="email"
              required
              name="email"
              autoComplete="email"
              maxLength={254}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <div>
            <Field label="Password">
              <Input
                type="password"
                required
                name="password"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
            <p className={css.forgot}>
              <Link href={paths.forgotPassword()}>Forgot your password?</Link>
            </p>
          </div>
          <Button type="submit" variant="primary" wide busy={logIn.isPending && "Logging in..."}>
            Log In
          </Button>
        </fieldset>
      </form>
      <SocialButtons verb="Continue" next={next ?? undefined} />
    </AuthLayout>
  );
}

/** Where to go after signing in: the dashboard, or a waiting invitation. No other address is followed. */
function destination(next: string | null): string {
  return next?.startsWith(paths.invitation("")) ? next : paths.dashboard();
}
