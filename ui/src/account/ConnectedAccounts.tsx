import { useQuery } from "@tanstack/react-query";
import { usePreferences } from "../access/preferences";
import { usePasswordLogin } from "../access/site";
import { errorMessage } from "../kit/api/client";
import type { Identity } from "../kit/api/types";
import { dateOf, longDate } from "../kit/format";
import { paths } from "../kit/paths";
import { Block } from "../kit/ui/Block";
import { Button, PlainLinkButton } from "../kit/ui/Button";
import { Fetched } from "../kit/ui/Fetched";
import { FocusedItems, Item } from "../kit/ui/Items";
import { toast } from "../kit/ui/toast";
import { providersQuery } from "./auth";
import { identitiesQuery, useDisconnect } from "./identities";

/** The sign-in providers that are connected, and those that could be. It shows nothing when the server offers none. */
export function ConnectedAccounts() {
  const { data: providers = [] } = useQuery(providersQuery);
  const query = useQuery(identitiesQuery);
  const identities = query.data;
  const connected = identities?.data ?? [];
  const others = providers.filter(({ id }) => !connected.some(({ provider }) => provider === id));
  if (providers.length === 0 && connected.length === 0) return null;
  // A connected provider that the server no longer offers can't be used to sign in.
  const ways = connected.filter(({ provider }) => providers.some(({ id }) => id === provider));
  const isLast = ({ provider }: Identity) =>
    identities?.hasPassword === false && !ways.some((way) => way.provider !== provider);
  return (
    <Block title="Connected accounts" lead="Other ways to log in. Only your name and address are read from them.">
      <Fetched
        query={query}
        waiting="Fetching your connected accounts"
        failed="Your connected accounts could not be loaded."
      >
        {() => (
          <FocusedItems rows={connected}>
            {connected.map((identity) => (
              <Connected key={identity.provider} identity={identity} isLast={isLast(identity)} />
            ))}
            {others.map(({ id, name }) => (
              <Item
                key={id}
                title={name}
                hint="Not connected"
                action={
                  <PlainLinkButton size="compact" href={paths.oauth(id)} aria-label={`Connect ${name}`}>
                    Connect
                  </PlainLinkButton>
                }
              />
            ))}
          </FocusedItems>
        )}
      </Fetched>
    </Block>
  );
}

function Connected({ identity, isLast }: { identity: Identity; isLast: boolean }) {
  const { provider, name, email, linkedAt } = identity;
  const { data: preferences } = usePreferences();
  const disconnect = useDisconnect();
  const hasPasswords = usePasswordLogin();
  const since = `connected ${longDate(dateOf(linkedAt, preferences?.timezone))}`;
  const fact = email ? `${email}, ${since}` : since.charAt(0).toUpperCase() + since.slice(1);
  const before = hasPasswords ? "set a password" : "connect another account";
  const hint = isLast ? `${fact}. It is your only way in: ${before} before you disconnect it.` : fact;
  const failed = (error: unknown) =>
    toast({ title: "Error", description: errorMessage(error, "Failed to disconnect"), destructive: true });
  return (
    <Item
      title={name}
      hint={hint}
      action={
        <Button
          variant="quiet"
          size="compact"
          aria-label={`Disconnect ${name}`}
          disabled={isLast}
          busy={disconnect.isPending && "Disconnecting..."}
          onClick={() =>
            disconnect.mutate(provider, {
              onSuccess: () => toast({ title: `${name} disconnected` }),
              onError: failed,
            })
          }
        >
          Disconnect
        </Button>
      }
    />
  );
}
