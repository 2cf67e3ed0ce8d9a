import { useQuery } from "@tanstack/react-query";
import { use, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { usePasswordLogin, useSite } from "../access/site";
import { fieldsOf, serverMessage } from "../kit/api/client";
import { SIGN_UP_REQUEST } from "../kit/api/limits";
import { paths } from "../kit/paths";
import { ServerName } from "../kit/serverName";
import { Checkbox } from "../kit/ui/Choice";
import { Field, Input } from "../kit/ui/Field";
import { Link } from "../kit/ui/Link";
import { Spinner } from "../kit/ui/Waiting";
import { EmailField } from "./AccountFields";
import { AuthForm } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { type Invitation, invitationQuery, useSignUp } from "./auth";
import { fits } from "./invitation";
import { NewPasswordField } from "./NewPasswordField";
import { SocialButtons } from "./SocialButtons";

export default function SignupPage() {
  const [parameters] = useSearchParams();
  const token = parameters.get("invite") ?? undefined;
  const site = useSite();
  const invitation = useQuery({ ...invitationQuery(token ?? ""), enabled: token !== undefined });
  const hasPasswords = usePasswordLogin();
  const signup = site.data?.signup ?? "open";
  // Without passwords an invitation makes an account through a provider. The server knows which of them take invitations.
  const isInvited = !hasPasswords && signup !== "closed" && invitation.data !== undefined;
  const providers = isInvited ? undefined : site.data?.signupProviders;
  const byProvider = isInvited || (providers ? providers.length > 0 : signup === "open");
  const byPassword = hasPasswords && (signup === "open" || (signup === "invite" && invitation.data !== undefined));
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
      {!waiting && !byProvider && (signup === "closed" || (!hasPasswords && signup === "open")) && (
        <p className={css.text}>Signup is closed on this server. The person who runs it can make an account for you.</p>
      )}
      {!waiting && signup === "invite" && !invitation.data && (hasPasswords || !byProvider) && <ByInvitation />}
      {!waiting && isInvited && (
        <>
          <InvitedTo invitation={invitation.data} />
          {invitation.data.email && <p className="hint">The invitation is for {invitation.data.email}.</p>}
        </>
      )}
      {!waiting && byPassword && <SignupForm token={invitation.data && token} invitation={invitation.data} />}
      {!waiting && byProvider && (!invitation.data || !hasPasswords) && (
        <SocialButtons verb="Sign up" next={token && paths.invitation(token)} alone={!byPassword} only={providers} />
      )}
    </AuthLayout>
  );
}

function ByInvitation() {
  return (
    <>
      <p className={css.text}>
        New readers come to this server by invitation. Ask someone in a team to invite your address, or ask the person
        who runs the server.
      </p>
      <p className={`hint ${css.text}`}>Have an invitation? Open the link in it.</p>
    </>
  );
}

function InvitedTo({ invitation }: { invitation: Invitation }) {
  const serverName = use(ServerName);
  return (
    <p className={css.text}>
      {invitation.inviter ?? "Someone"} invites you to <span className="serif">{invitation.team ?? serverName}</span>.
    </p>
  );
}

function SignupForm({ token, invitation }: { token?: string; invitation?: Invitation }) {
  const [, navigate] = useLocation();
  const signUp = useSignUp();
  const [isOther, setIsOther] = useState(false);
  const [displayName, setDisplayName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [shareWithTeam, setShareWithTeam] = useState(false);
  const toTeam = Boolean(invitation?.team);

  const submit = () => {
    const other = invitation !== undefined && !fits(email, invitation.email ?? "");
    setIsOther(other);
    if (other) return;
    signUp.mutate(
      { displayName, email, password, invitation: token === undefined ? undefined : { token, toTeam, shareWithTeam } },
      {
        onSuccess: ({ joined }) =>
          navigate(token && toTeam ? (joined ? paths.team() : paths.invitation(token)) : paths.dashboard()),
      },
    );
  };

  const fields = fieldsOf(signUp.error);
  return (
    <>
      {invitation && <InvitedTo invitation={invitation} />}
      <AuthForm
        error={signUp.isError && serverMessage(signUp.error, "Signup failed")}
        failed={signUp.isError || isOther}
        pending={signUp.isPending}
        labels={[toTeam ? "Create Account and Join" : "Create Account", "Creating account..."]}
        onSubmit={submit}
      >
        <Field label="Display name" error={fields.displayName}>
          <Input
            name="displayName"
            required
            autoComplete="name"
            maxLength={SIGN_UP_REQUEST.displayName.maxLength}
            onChange={(event) => setDisplayName(event.target.value)}
          />
        </Field>
        <EmailField
          error={isOther ? "This is not the address that was invited." : fields.email}
          hint={invitation?.email && `The invitation is for ${invitation.email}.`}
          maxLength={SIGN_UP_REQUEST.email.maxLength}
          onType={setEmail}
        />
        <NewPasswordField error={fields.password} onType={setPassword} />
        {toTeam && (
          <Checkbox checked={shareWithTeam} onChange={(event) => setShareWithTeam(event.target.checked)}>
            Share what I finish with this team
          </Checkbox>
        )}
        <p className="hint">
          You must be at least 13 years old. By signing up you accept the{" "}
          <Link href={paths.terms()}>Terms of Service</Link> and the <Link href={paths.privacy()}>Privacy Policy</Link>.
        </p>
      </AuthForm>
    </>
  );
}
