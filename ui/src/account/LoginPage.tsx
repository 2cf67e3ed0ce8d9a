import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { goToProvider, pageToReturnTo } from "../access/returning";
import { useIsPrivate, useOffersSignUp, usePasswordLogin, useSite } from "../access/site";
import { useRefusal } from "../access/viewer";
import { serverMessage } from "../kit/api/client";
import { browserTimeZone } from "../kit/format";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Link } from "../kit/ui/Link";
import { lazyPart } from "../kit/ui/lazyPart";
import { Spinner } from "../kit/ui/Waiting";
import { EmailField, PasswordField } from "./AccountFields";
import { AuthForm } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { providersQuery, useLogIn } from "./auth";
import { SocialButtons } from "./SocialButtons";
import { maySendOn } from "./sentOn";

// Its sentences are fetched only when there is an error to show.
const SocialError = lazyPart(() => import("./SocialError").then((all) => all.default));

/** The log-in page. It is called after the server where the server has a name, and is a private server's first page. */
export default function LoginPage() {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const { data: site } = useSite();
  const isPrivate = useIsPrivate();
  const hasPasswords = usePasswordLogin();
  const refusal = useRefusal();
  const logIn = useLogIn();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");

  const submit = () =>
    logIn.mutate({ email, password }, { onSuccess: ({ user }) => navigate(destination(next, user.id)) });

  const failure = logIn.isError && serverMessage(logIn.error, "Login failed");
  const [socialError, next] = [parameters.get("error"), parameters.get("next")];
  const goesTo = useSentOn(socialError !== null || parameters.has("stay"), next);
  return (
    <AuthLayout title={site?.name ?? "Log in"} named="Log in" after={<NewHere />}>
      {isPrivate && site?.name && <p className={css.text}>A Shelfwise for friends and family.</p>}
      {goesTo && (
        <p className={css.text}>
          <Spinner>Going to {goesTo}</Spinner>
        </p>
      )}
      {!hasPasswords && site?.proxyLogin && !refusal && (
        <p className={css.text}>The proxy in front of this server logs you in. Log in there.</p>
      )}
      {!failure && !socialError && refusal && <Alert className={css.alert}>{refusal}</Alert>}
      {!failure && socialError && (
        <SocialError code={socialError} provider={parameters.get("provider")} className={css.alert} />
      )}
      {!failure && parameters.get("reset") === "done" && (
        <Alert kind="note" className={css.alert}>
          Your password is changed. Log in with the new one.
        </Alert>
      )}
      {hasPasswords && !goesTo && (
        <AuthForm
          error={failure}
          failed={logIn.isError}
          pending={logIn.isPending}
          labels={["Log In", "Logging in..."]}
          onSubmit={submit}
        >
          <EmailField onType={setEmail} />
          <div>
            <PasswordField onType={setPassword} />
            <p className={css.forgot}>
              <Link href={paths.forgotPassword()}>Forgot your password?</Link>
            </p>
          </div>
        </AuthForm>
      )}
      <SocialButtons verb="Continue" next={next ?? undefined} alone={!hasPasswords || goesTo !== null} />
    </AuthLayout>
  );
}

/**
 * Sends the browser on to the provider that the server names for it, once. Returns the provider's name meanwhile, and null
 * when the page is to stay.
 */
function useSentOn(stays: boolean, next: string | null): string | null {
  const provider = useSite().data?.loginRedirect ?? null;
  const { data: providers } = useQuery(providersQuery);
  const wanted = provider !== null && !stays;
  const [goes, setGoes] = useState(false);
  // The record of the last time is read and written once for each visit of the page.
  useEffect(() => {
    if (!wanted || provider === null || !maySendOn()) return;
    setGoes(true);
    goToProvider();
    window.location.replace(paths.oauth(provider, { next: next ?? undefined, timezone: browserTimeZone() }));
  }, [wanted, provider, next]);
  return goes && wanted ? (providers?.find(({ id }) => id === provider)?.name ?? "the sign-in page") : null;
}

/** How someone without an account gets one. */
function NewHere() {
  const { data: site } = useSite();
  const isPrivate = useIsPrivate();
  const offersSignUp = useOffersSignUp();
  return (
    <>
      {offersSignUp && (
        <>
          New here? <Link href={paths.signup()}>Create an account</Link>{" "}
        </>
      )}
      {site?.signup === "invite" && "New readers come by invitation. "}
      {isPrivate && <Link href={paths.privacy()}>Privacy</Link>}
    </>
  );
}

/** Where to go after signing in: a waiting invitation, the page that asked for it, or the dashboard. No other address is followed. */
function destination(next: string | null, account: number): string {
  if (next?.startsWith(paths.invitation(""))) return next;
  return pageToReturnTo(account) ?? paths.dashboard();
}
