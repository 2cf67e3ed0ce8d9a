import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useSite } from "../access/site";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button, TextButton } from "../kit/ui/Button";
import { Command } from "../kit/ui/CopyField";
import { Field, Input } from "../kit/ui/Field";
import { Link } from "../kit/ui/Link";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { Spinner } from "../kit/ui/Waiting";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { useAskForReset } from "./reset";

/** Asks for a link to set a new password. When the server sends no e-mail, it says who can set one and how. */
export default function ForgotPasswordPage() {
  const site = useSite();
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
      {site.data?.mail === false && <NoMail />}
      {!site.isPending && site.data?.mail !== false && sentTo === null && <AskForm onSent={setSentTo} />}
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
      <Command>shelfwise user set-password you@example.org</Command>
    </>
  );
}

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const ask = useAskForReset();
  const form = useFocusBack(ask.isError);
  const [email, setEmail] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    ask.mutate(email, { onSuccess: () => onSent(email) });
  };
  const refused = fieldsOf(ask.error).email;
  return (
    <>
      <p className={css.text}>Enter your email address and we send you a link to set a new one.</p>
      {ask.isError && !refused && (
        <Alert className={css.alert}>{errorMessage(ask.error, "The link could not be sent.")}</Alert>
      )}
      <form className={css.form} ref={form} onSubmit={submit}>
        <fieldset className="form" disabled={ask.isPending}>
          <Field label="Email" error={refused}>
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
          <Button type="submit" variant="primary" wide busy={ask.isPending && "Sending..."}>
            Send Link
          </Button>
        </fieldset>
      </form>
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
        Nothing after a few minutes? Look among the spam, or <TextButton onClick={sendAgain}>send it again</TextButton>.
      </p>
    </div>
  );
}
