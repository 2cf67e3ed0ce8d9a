import { useEffect, useRef, useState } from "react";
import { usePasswordLogin, useSite } from "../access/site";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { TextButton } from "../kit/ui/Button";
import { Command } from "../kit/ui/CopyField";
import { Link } from "../kit/ui/Link";
import { toast } from "../kit/ui/toast";
import { Spinner } from "../kit/ui/Waiting";
import { EmailField } from "./AccountFields";
import { AuthForm } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { useAskForReset } from "./reset";

/** Asks for a link to set a new password. When the server sends no e-mail, it says who can set one and how. */
export default function ForgotPasswordPage() {
  const site = useSite();
  const hasPasswords = usePasswordLogin();
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthLayout
      title="Forgot your password?"
      named="Forgot your password"
      after={
        <>
          Remembered it? <Link href={paths.login()}>Log in</Link>
        </>
      }
    >
      {site.isPending && (
        <p className={css.text}>
          <Spinner>Asking the server</Spinner>
        </p>
      )}
      {site.data?.passwordLogin === false && (
        <p className={css.text}>This server uses no passwords. The log-in page shows how to log in.</p>
      )}
      {hasPasswords && site.data?.mail === false && <NoMail />}
      {hasPasswords && !site.isPending && site.data?.mail !== false && sentTo === null && (
        <AskForm onSent={setSentTo} />
      )}
      {sentTo !== null && <Sent email={sentTo} />}
    </AuthLayout>
  );
}

function NoMail() {
  return (
    <>
      <p className={css.text}>
        This server sends no mail. The person who runs it can set a new password for you, with this command:
      </p>
      <Command>user set-password you@example.org</Command>
    </>
  );
}

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const ask = useAskForReset();
  const [email, setEmail] = useState("");
  const refused = fieldsOf(ask.error).email;
  return (
    <>
      <p className={css.text}>Enter your email address and we send you a link to set a new one.</p>
      <AuthForm
        error={ask.isError && !refused && errorMessage(ask.error, "The link could not be sent.")}
        failed={ask.isError}
        pending={ask.isPending}
        labels={["Send Link", "Sending..."]}
        onSubmit={() => ask.mutate(email, { onSuccess: () => onSent(email) })}
      >
        <EmailField error={refused} onType={setEmail} />
      </AuthForm>
    </>
  );
}

/** Says the same whether or not the address has an account. */
function Sent({ email }: { email: string }) {
  const again = useAskForReset();
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => said.current?.focus(), []);
  const sendAgain = () => {
    // The button is not disabled meanwhile, because it would lose the focus.
    if (again.isPending) return;
    again.mutate(email, {
      onSuccess: () => toast({ title: "Sent again" }),
      onError: (error) =>
        toast({ title: "Error", description: errorMessage(error, "The link could not be sent."), destructive: true }),
    });
  };
  return (
    <div className={css.said} ref={said} tabIndex={-1}>
      <Alert kind="note" className={css.alert}>
        If this address has an account, a link is on its way to it. It works once, within the hour.
      </Alert>
      <p className={css.text}>
        Nothing after a few minutes? Look in your spam folder, or{" "}
        <TextButton onClick={sendAgain}>send it again</TextButton>.
      </p>
    </div>
  );
}
