import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useSite } from "../access/site";
import { fieldsOf, serverMessage } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Field, Input } from "../kit/ui/Field";
import { Link } from "../kit/ui/Link";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { Spinner } from "../kit/ui/Waiting";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { type Invitation, invitationQuery, useSignUp } from "./auth";
import { fits } from "./invitation";
import { SocialButtons } from "./SocialButtons";

export default function SignupPage() {
  const [parameters] = useSearchParams();
  const token = parameters.get("invite") ?? undefined;
  const site = useSite();
  const invitation = useQuery({ ...invitationQuery(token ?? ""), enabled: token !== undefined });
  const signup = site.data?.signup ?? "open";
  const waiting = site.isPending || (token !== undefined && invitation.isPending);

  return (
    <AuthLayout
      title="Create an account"
      after={
        <>
          Already have an account? <Link href={paths.login()}>Log in</Link>
        </>
      }
    >
      {waiting && (
        <p className={css.text}>
          <Spinner>Asking the server</Spinner>
        </p>
      )}
      {!waiting && signup === "closed" && (
        <p className={css.text}>Signup is closed on this server. The person who runs it can make an account for you.</p>
      )}
      {!waiting && signup === "invite" && !invitation.data && <ByInvitation />}
      {!waiting && (signup === "open" || (signup === "invite" && invitation.data)) && (
        <SignupForm token={invitation.data && token} invitation={invitation.data} />
      )}
      {!waiting && signup === "open" && !invitation.data && <SocialButtons verb="Sign up" />}
    </AuthLayout>
  );
}

function ByInvitation() {
  return (
    <>
      <p className={css.text}>
        New readers come to this server by invitation. Ask somebody in a team to invite your address, or ask the person
        who runs the server.
      </p>
      <p className={`hint ${css.text}`}>Have an invitation? Open the link in it.</p>
    </>
  );
}

function SignupForm({ token, invitation }: { token?: string; invitation?: Invitation }) {
  const [, navigate] = useLocation();
  const signUp = useSignUp();
  const [isOther, setIsOther] = useState(false);
  const form = useFocusBack(signUp.isError || isOther);
  const [displayName, setDisplayName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const other = invitation !== undefined && !fits(email, invitation.email);
    setIsOther(other);
    if (other) return;
    signUp.mutate(
      { displayName, email, password, inviteToken: token },
      {
        onSuccess: ({ joined }) =>
          navigate(token ? (joined ? paths.team() : paths.invitation(token)) : paths.dashboard()),
      },
    );
  };

  const fields = fieldsOf(signUp.error);
  return (
    <>
      {signUp.isError && <Alert className={css.alert}>{serverMessage(signUp.error, "Signup failed")}</Alert>}
      {invitation && (
        <p className={css.text}>
          {invitation.inviter} invites you to <span className="serif">{invitation.team}</span>.
        </p>
      )}
      <form className={css.form} ref={form} onSubmit={submit}>
        <fieldset className="form" disabled={signUp.isPending}>
          <Field label="Display name" error={fields.displayName}>
            <Input
              name="displayName"
              required
              autoComplete="name"
              maxLength={100}
              value={displayName}
              onChange={(event) => setDisplayName(event.target.value)}
            />
          </Field>
          <Field
            label="Email"
            error={isOther ? "This is not the address that was invited." : fields.email}
            hint={invitation && `The invitation is for ${invitation.email}.`}
          >
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
          <Field label="Password" error={fields.password}>
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
          <p className="hint">
            You must be at least 13 years old. By signing up you accept the{" "}
            <Link href={paths.terms()}>Terms of Service</Link> and the{" "}
            <Link href={paths.privacy()}>Privacy Policy</Link>.
          </p>
          <Button type="submit" variant="primary" wide busy={signUp.isPending && "Creating account..."}>
            {invitation ? "Create Account and Join" : "Create Account"}
          </Button>
        </fieldset>
      </form>
    </>
  );
}
