import { useQuery } from "@tanstack/react-query";
import { usePasswordLogin } from "../access/site";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { providersQuery } from "./auth";
import { askToConfirm } from "./confirmation";

/**
 * The sentence for each value of `?error=` after a social sign-in. The address only selects a sentence; none of its
 * text is shown.
 */
const SENTENCES: Readonly<Record<string, (provider: string) => string>> = {
  cancelled: (provider) => `Logging in with ${provider} was canceled.`,
  unavailable: (provider) => `${provider} can’t be reached right now. Try again in a few minutes.`,
  refused: (provider) =>
    `The answer from ${provider} could not be confirmed, so nothing was changed. Please try again.`,
  too_many_attempts: (provider) => `Logging in with ${provider} failed too often from here. Try again in an hour.`,
  email_taken: (provider) =>
    `An account with this email address exists. Log in with your password, then connect ${provider} under Account.`,
  email_taken_without_passwords: (provider) =>
    `An account with this email address exists, but it is not connected to ${provider}. Ask the person who runs this server.`,
  signup_closed_without_passwords: (provider) =>
    `No account here is connected to this ${provider} account, and this server does not accept new accounts. Ask the person who runs it.`,
  email_unverified_without_passwords: (provider) =>
    `${provider} has not confirmed your email address, and a new account needs a confirmed one. Ask the person who runs this server.`,
  email_unverified: (provider) =>
    `${provider} has not confirmed your email address. Create an account with a password, then connect ${provider} under Account.`,
  email_missing_without_passwords: (provider) =>
    `${provider} gave no email address, and a new account needs one. Ask the person who runs this server.`,
  email_missing: (provider) =>
    `${provider} gave no email address. Create an account with a password, then connect ${provider} under Account.`,
  signup_closed: (provider) =>
    `No account here is connected to this ${provider} account, and a new account needs an invitation. If you have an account, log in with your password, then connect ${provider} under Account.`,
  not_allowed: (provider) =>
    `Your ${provider} account is not in a group that may use this server. Ask the person who runs it.`,
  disabled: () => "This account has been disabled. Ask the person who runs this server.",
  unknown_provider: () => "This server does not offer that way to log in.",
  linked_elsewhere: (provider) => `This ${provider} account is connected to someone else’s account here.`,
  already_linked: (provider) => `Another ${provider} account is already connected. Disconnect it first.`,
  signed_out: (provider) => `You were logged out meanwhile, so ${provider} was not connected. Log in and try again.`,
  confirm_yourself: (provider) =>
    `You logged in a while ago. Enter your password again, or log out and in, then connect ${provider}.`,
  started_elsewhere: (provider) => `Another site’s page led here. To connect ${provider}, use the button on this page.`,
};

/** Says why a social sign-in failed, above the form or the account. */
export default function SocialError({ code, provider, className }: SocialErrorProps) {
  const { data: providers, isPending } = useQuery(providersQuery);
  const hasPasswords = usePasswordLogin();
  if (isPending) return null;
  const known = providers?.find(({ id }) => id === provider);
  const name = known?.name ?? "the other service";
  const keys = hasPasswords ? [code] : [`${code}_without_passwords`, code];
  const key = keys.find((key) => Object.hasOwn(SENTENCES, key));
  const sentence = key && SENTENCES[key]?.(name);
  const said = sentence ?? "Signing in did not work. Please try again.";
  return (
    <Alert className={className}>
      <p>{said.charAt(0).toUpperCase() + said.slice(1)}</p>
      {code === "confirm_yourself" && known && <ConfirmAndConnect provider={known} />}
    </Alert>
  );
}

/** Asks for the missing confirmation, and then sends the browser to the provider again. */
function ConfirmAndConnect({ provider }: { provider: { id: string; name: string } }) {
  const connect = async () => {
    if (await askToConfirm()) window.location.assign(paths.oauth(provider.id));
  };
  return (
    <Button size="compact" onClick={connect}>
      Confirm and connect {provider.name}
    </Button>
  );
}

interface SocialErrorProps {
  code: string;
  /** The provider's name in addresses. A name that this server does not have is never shown. */
  provider: string | null;
  className?: string;
}
