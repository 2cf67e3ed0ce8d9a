import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { ConfirmDialog } from "../account/ConfirmDialog";
import { counted } from "../kit/format";
import { type AdminTab, paths } from "../kit/paths";
import { Page } from "../kit/ui/Page";
import { Tabs } from "../kit/ui/Tabs";
import { usersQuery } from "./api";
import { EventsTab } from "./EventsTab";
import { EVERYONE } from "./model";
import { Overview } from "./Overview";
import { ServerTab } from "./ServerTab";
import { UsersTab } from "./UsersTab";

const TABS: readonly { id: AdminTab; label: string }[] = [
  { id: "overview", label: "Overview" },
  { id: "users", label: "Users" },
  { id: "events", label: "Events" },
  { id: "server", label: "Server" },
];

/** The operator's area: users, load and health of the server. It never shows what anyone reads. */
export default function AdminPage() {
  const [parameters] = useSearchParams();
  const current = TABS.find((tab) => tab.id === parameters.get("tab"))?.id ?? "overview";
  return (
    <Page title="Admin">
      <div className="page-head">
        <div>
          <h1 className="h1">Admin</h1>
          <p className="aside-text">
            {current === "overview" && "System load is updated every 10 seconds, the rest every 30"}
            {current === "users" && <UserCount />}
            {current === "events" && "Log-ins, changes to accounts, and what operators did"}
            {current === "server" && "What the server is called, who may come, and how much it keeps"}
          </p>
        </div>
      </div>
      <Tabs label="Admin" tabs={TABS.map((tab) => ({ ...tab, href: paths.admin(tab.id) }))} current={current}>
        {current === "overview" && <Overview />}
        {current === "users" && <UsersTab />}
        {current === "events" && <EventsTab />}
        {current === "server" && <ServerTab />}
      </Tabs>
      <ConfirmDialog />
    </Page>
  );
}

function UserCount() {
  const { data } = useInfiniteQuery(usersQuery(EVERYONE));
  return data?.pages[0] ? counted(data.pages[0].total, "user") : "Counting the users";
}
