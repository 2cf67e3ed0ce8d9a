import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { seatUsageQuery } from "../access/seats";
import { useIsPrivate } from "../access/site";
import type { Team, TeamInvitation } from "../kit/api/types";
import { whole } from "../kit/format";
import { paths } from "../kit/paths";
import { Banner } from "../kit/ui/Alert";
import { Badge } from "../kit/ui/Badge";
import { Button, LinkButton } from "../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../kit/ui/DefinitionRows";
import { Panel, Panels } from "../kit/ui/Panel";
import { HeadActions } from "./HeadActions";
import { Invitations } from "./Invitations";
import { InviteDialog, LinkDialog } from "./InviteDialogs";
import { LeaveDialog } from "./LeaveDialog";
import { Members } from "./Members";
import { intervalOf, isLapsed, manages } from "./model";
import { SeatUsagePanel } from "./SeatUsagePanel";

/** The properties of a tab. Its actions are rendered in the page's head by `HeadActions`. */
export interface TeamTabProps {
  team: Team;
}

type Asked = { about: "invite" | "leave" } | { about: "link"; invitation: TeamInvitation };

/** The plan and its seats, the pending invitations, and the members. */
export function MembersTab({ team }: TeamTabProps) {
  const { data: usage } = useQuery(seatUsageQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const showLink = (invitation: TeamInvitation) => setAsked({ about: "link", invitation });
  const lapsed = isLapsed(team);
  return (
    <>
      <HeadActions>
        {team.role !== "owner" && <Button onClick={() => setAsked({ about: "leave" })}>Leave team</Button>}
        {manages(team.role) && (
          <Button variant="primary" icon="plus" disabled={lapsed} onClick={() => setAsked({ about: "invite" })}>
            Invite member
          </Button>
        )}
      </HeadActions>
      {lapsed && <Lapsed owns={team.role === "owner"} />}
      <Panels>
        <Overview team={team} />
        <SeatUsagePanel team={team} />
      </Panels>
      {manages(team.role) && <Invitations team={team} canRenew={!lapsed} onLink={showLink} />}
      <Members team={team} />
      {asked?.about === "invite" && <InviteDialog available={usage?.availableSeats} onClose={close} />}
      {asked?.about === "link" && <LinkDialog invitation={asked.invitation} onClose={close} />}
      {asked?.about === "leave" && <LeaveDialog team={team} onClose={close} />}
    </>
  );
}

/** No one pays for the team: what that means, and, for the owner, a link to pay again. */
function Lapsed({ owns }: { owns: boolean }) {
  return (
    <Banner
      icon="alert"
      className="section"
      action={
        owns && (
          <LinkButton size="compact" href={paths.pricing()}>
            Renew
          </LinkButton>
        )
      }
    >
      The subscription has ended. The team stays, on the Reader plan; inviting opens again once it is paid.
    </Banner>
  );
}

function Overview({ team }: { team: Team }) {
  const isPrivate = useIsPrivate();
  const { status } = team.subscription;
  return (
    <Panel title="Team Overview" beside>
      <DefinitionRows plain>
        {!isPrivate && (
          <>
            <DefinitionRow name="Billing interval">{intervalOf(team.subscription)}</DefinitionRow>
            <DefinitionRow name="Subscription status">
              <Badge variant={status === "active" ? "ok" : "warn"}>{status}</Badge>
            </DefinitionRow>
          </>
        )}
        <DefinitionRow name="Members">
          <span className="num">{whole(team.members.length)}</span>
        </DefinitionRow>
      </DefinitionRows>
    </Panel>
  );
}
