import { useSearchParams } from "wouter";
import { useIsPrivate } from "../access/site";
import { BillingTab } from "../billing/BillingTab";
import { type AccountTab, paths } from "../kit/paths";
import { Page } from "../kit/ui/Page";
import { Tabs } from "../kit/ui/Tabs";
import { PreferencesTab } from "../preferences/PreferencesTab";
import css from "./Account.module.css";
import { CheckoutReturn } from "./CheckoutReturn";
import { ConfirmDialog } from "./ConfirmDialog";
import { ConnectionsTab } from "./ConnectionsTab";
import { LogOutTab } from "./LogOutTab";
import { ProfileTab } from "./ProfileTab";
import SocialError from "./SocialError";
import { TermsTab } from "./TermsTab";

const TABS: readonly { id: AccountTab; label: string }[] = [
  { id: "profile", label: "Profile" },
  { id: "billing", label: "Billing" },
  { id: "preferences", label: "Preferences" },
  { id: "connections", label: "Connections" },
  { id: "logout", label: "Log Out" },
  { id: "terms", label: "Terms" },
];

/** The account page with its tabs. A private server has no tab for billing. */
export default function AccountPage() {
  const [parameters] = useSearchParams();
  const isPrivate = useIsPrivate();
  const tabs = TABS.filter(({ id }) => !(isPrivate && id === "billing"));
  const current = tabs.find((tab) => tab.id === parameters.get("tab"))?.id ?? "profile";
  const error = parameters.get("error");
  return (
    <Page title="Account">
      <div className="page-head">
        <h1 className="h1">Account</h1>
      </div>
      {!isPrivate && parameters.get("success") === "true" && <CheckoutReturn />}
      {error && <SocialError code={error} provider={parameters.get("provider")} className={css.note} />}
      <ConfirmDialog />
      <Tabs
        label="Account"
        tabs={tabs.map((tab) => ({ ...tab, href: paths.account(tab.id) }))}
        current={current}
        className={css.body}
      >
        {current === "profile" && <ProfileTab />}
        {current === "billing" && <BillingTab />}
        {current === "preferences" && <PreferencesTab />}
        {current === "connections" && <ConnectionsTab />}
        {current === "logout" && <LogOutTab />}
        {current === "terms" && <TermsTab />}
      </Tabs>
    </Page>
  );
}
