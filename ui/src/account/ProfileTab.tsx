import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useIsPrivate, usePasswordLogin, useSite } from "../access/site";
import { PLAN_NAMES, useSubscription } from "../access/subscription";
import { useUser } from "../access/viewer";
import { useZone } from "../access/zone";
import type { CurrentSubscription } from "../kit/api/types";
import { instantDate } from "../kit/format";
import { paths } from "../kit/paths";
import { Badge } from "../kit/ui/Badge";
import { Button } from "../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../kit/ui/DefinitionRows";
import { Link } from "../kit/ui/Link";
import { Skeleton } from "../kit/ui/Waiting";
import { ConnectedAccounts } from "./ConnectedAccounts";
import { DangerZone } from "./DangerZone";
import { identitiesQuery } from "./identities";
import { EmailDialog, NameDialog, PasswordDialog } from "./ProfileDialogs";
import { SecurityEvents } from "./SecurityEvents";
import { Sessions } from "./Sessions";

/** The profile: name, address, password, sessions, connected providers, security events, and the danger zone. */
export function ProfileTab() {
  return (
    <>
      <Profile />
      <Sessions />
      <ConnectedAccounts />
      <SecurityEvents />
      <DangerZone />
    </>
  );
}

function Profile() {
  const { displayName, email } = useUser();
  const { data: current } = useSubscription();
  const isPrivate = useIsPrivate();
  const { data: identities } = useQuery(identitiesQuery);
  const hasPasswords = usePasswordLogin();
  const hasPassword = identities?.hasPassword !== false;
  const [open, setOpen] = useState<"name" | "email" | "password" | null>(null);
  const close = () => setOpen(null);
  return (
    <section aria-label="Profile">
      <DefinitionRows>
        <DefinitionRow
          name="Name"
          action={
            <Button size="compact" onClick={() => setOpen("name")} aria-label="Edit the name">
              Edit
            </Button>
          }
        >
          <span className="serif">{displayName}</span>
        </DefinitionRow>
        <DefinitionRow
          name="Email"
          action={
            // A new address needs the password.
            hasPasswords && (
              <Button
                size="compact"
                onClick={() => setOpen(hasPassword ? "email" : "password")}
                aria-label="Change the email"
              >
                Change
              </Button>
            )
          }
        >
          {email}
        </DefinitionRow>
        {hasPasswords && (
          <DefinitionRow
            name="Password"
            action={
              <Button
                size="compact"
                onClick={() => setOpen("password")}
                aria-label={hasPassword ? "Change the password" : "Set a password"}
              >
                {hasPassword ? "Change" : "Set"}
              </Button>
            }
          >
            <span className="muted">{hasPassword ? "set" : "none"}</span>
          </DefinitionRow>
        )}
        {isPrivate && <ServerRow />}
        {!isPrivate && <PlanRows subscription={current?.subscription} />}
      </DefinitionRows>
      {open === "name" && <NameDialog onClose={close} />}
      {open === "email" && <EmailDialog onClose={close} />}
      {open === "password" && <PasswordDialog isFirst={!hasPassword} onClose={close} />}
    </section>
  );
}

/** What a private server is called, and the person who runs it. */
function ServerRow() {
  const { data: site } = useSite();
  return (
    <DefinitionRow name="Server">
      <span className="serif">{site?.name ?? "Shelfwise"}</span>
      {site?.operator && <span className="muted">kept by {site.operator}</span>}
    </DefinitionRow>
  );
}

function PlanRows({ subscription }: Partial<Pick<CurrentSubscription, "subscription">>) {
  return (
    <>
      <DefinitionRow name="Current plan" action={<Link href={paths.account("billing")}>Billing</Link>}>
        {subscription ? <span className="serif">{PLAN_NAMES[subscription.plan]}</span> : <Skeleton width={20} />}
        {subscription && subscription.plan !== "reader" && <Badge variant="solid">Premium</Badge>}
      </DefinitionRow>
      <DefinitionRow name="Subscription">
        {subscription ? <SubscriptionStatus {...subscription} /> : <Skeleton width={20} />}
      </DefinitionRow>
    </>
  );
}

function SubscriptionStatus({ status, currentPeriodEnd, cancelAtPeriodEnd }: CurrentSubscription["subscription"]) {
  const zone = useZone();
  return (
    <>
      {status}
      {currentPeriodEnd && (
        <span className="muted">
          {cancelAtPeriodEnd ? "ends" : "renews"} {instantDate(currentPeriodEnd, zone)}
        </span>
      )}
    </>
  );
}
