import { type ComponentType, Suspense, useState } from "react";
import { useSearchParams } from "wouter";
import { useIsPrivate } from "../access/site";
import { useTeam } from "../access/subscription";
import { paths, type TeamTab } from "../kit/paths";
import { LinkButton } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/Fetched";
import { lazyWithin } from "../kit/ui/lazyPart";
import { Page } from "../kit/ui/Page";
import { Tabs } from "../kit/ui/Tabs";
import { Spinner } from "../kit/ui/Waiting";
import { HeadPlace } from "./HeadActions";
import { MembersTab, type TeamTabProps } from "./MembersTab";
import { manages } from "./model";
import { RenameTeam } from "./RenameTeam";
import { StartTeam } from "./StartTeam";
import css from "./Team.module.css";

interface TabOfTeam {
  id: TeamTab;
  label: string;
  Panel: ComponentType<TeamTabProps>;
}

const MEMBERS: TabOfTeam = { id: "members", label: "Members", Panel: MembersTab };
const TABS: readonly TabOfTeam[] = [
  MEMBERS,
  {
    id: "dashboard",
    label: "Shared dashboard",
    Panel: lazyWithin(() => import("./space/SharedDashboard").then((all) => all.default)),
  },
  {
    id: "challenges",
    label: "Challenges",
    Panel: lazyWithin(() => import("./space/Challenges").then((all) => all.default)),
  },
];

/** The reader's team: its members, its seats, and what it reads together. */
export default function TeamPage() {
  const team = useTeam();
  return (
    <Page title="Team">
      {team.data ? <InTeam team={team.data} /> : <h1 className={`h1 ${css.alone}`}>Team</h1>}
      {team.isPending && <Spinner>Fetching your team</Spinner>}
      {team.data === null && <NoTeam />}
      {team.isError && !team.data && (
        <NotFetched error={team.error} onRetry={team.refetch}>
          Your team could not be loaded.
        </NotFetched>
      )}
    </Page>
  );
}

function NoTeam() {
  const isPrivate = useIsPrivate();
  if (isPrivate) return <StartTeam />;
  return (
    <Empty
      title="You're not part of any team"
      action={<LinkButton href={paths.pricing()}>See the team plan</LinkButton>}
    >
      A team reads together: one plan, a shared dashboard, and challenges.
    </Empty>
  );
}

function InTeam({ team }: TeamTabProps) {
  const [parameters] = useSearchParams();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const { id: current, Panel } = TABS.find((tab) => tab.id === parameters.get("tab")) ?? MEMBERS;
  return (
    <>
      <div className="page-head">
        <div>
          <div className={css.named}>
            <h1 className="h1" dir="auto">
              {team.name}
            </h1>
            {manages(team.role) && <RenameTeam name={team.name} />}
          </div>
          <p className="aside-text">Owned by {team.owner.displayName}</p>
        </div>
        <div className={`page-head-actions ${css.actions}`} ref={setPlace} />
      </div>
      <Tabs label="Team" tabs={TABS.map((tab) => ({ ...tab, href: paths.team(tab.id) }))} current={current}>
        <HeadPlace value={place}>
          <Suspense fallback={<Spinner>Opening the tab</Spinner>}>
            <Panel team={team} />
          </Suspense>
        </HeadPlace>
      </Tabs>
    </>
  );
}
