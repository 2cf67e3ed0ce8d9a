import { useQuery } from "@tanstack/react-query";
import { type ReactNode, use, useState } from "react";
import { useLocation, useParams } from "wouter";
import { useIsPrivate, useSite } from "../access/site";
import { useTeam } from "../access/subscription";
import { useViewer } from "../access/viewer";
import { useZone } from "../access/zone";
import { AuthLayout } from "../account/AuthLayout";
import auth from "../account/AuthLayout.module.css";
import { type Invitation, invitationQuery } from "../account/auth";
import { fits } from "../account/invitation";
import { useLogOut } from "../account/useLogOut";
import { ApiError, errorMessage } from "../kit/api/client";
import type { User } from "../kit/api/types";
import { instantDate } from "../kit/format";
import { paths } from "../kit/paths";
import { ServerName } from "../kit/serverName";
import { Alert } from "../kit/ui/Alert";
import { Button, LinkButton } from "../kit/ui/Button";
import { Checkbox } from "../kit/ui/Choice";
import { Link } from "../kit/ui/Link";
import { toast } from "../kit/ui/toast";
import { Spinner } from "../kit/ui/Waiting";
import { useAccept, useDecline } from "./api";
import css from "./InvitePage.module.css";

/** The page that the link of an invitation opens. */
export default function InvitePage() {
  const { token = "" } = useParams<{ token: string }>();
  const { data: invitation, error, isPending, refetch } = useQuery(invitationQuery(token));
  const { user } = useViewer();
  const ended = error instanceof ApiError && error.status === 410 ? error : null;
  const unknown = error instanceof ApiError && error.status === 404;
  const team = invitation?.team ?? ended?.bodyText("team");
  return (
    <AuthLayout
      title={team || "Invitation"}
      named="Invitation"
      after={user ? <Link href={paths.dashboard()}>Dashboard</Link> : <Home />}
    >
      {isPending && (
        <p className={auth.text}>
          <Spinner>Opening the invitation</Spinner>
        </p>
      )}
      {ended && <Ended inviter={ended.bodyText("inviter")} />}
      {unknown && <UnknownLink />}
      {error && !ended && !unknown && (
        <>
          <Alert className={auth.alert}>{errorMessage(error, "The invitation could not be opened.")}</Alert>
          <Actions>
            <Button wide onClick={() => refetch()}>
              Try again
            </Button>
          </Actions>
        </>
      )}
      {invitation &&
        !error &&
        (invitation.team === null ? (
          <ToServer {...{ token, invitation }} isSignedIn={user !== null} />
        ) : user ? (
          <ReaderActions token={token} {...{ invitation, user }} />
        ) : (
          <VisitorActions {...{ token, invitation }} />
        ))}
    </AuthLayout>
  );
}

/** A private server has no page about Shelfwise: its first page is for logging in. */
function Home() {
  const isPrivate = useIsPrivate();
  return <Link href={paths.landing()}>{isPrivate ? "Log in" : "What is Shelfwise?"}</Link>;
}

function Actions({ children }: { children: ReactNode }) {
  return <div className={`${auth.actions} ${auth.form}`}>{children}</div>;
}

/** An invitation to the server without a team: it makes an account. */
function ToServer({ token, invitation, isSignedIn }: InvitationProps & { isSignedIn: boolean }) {
  const { data: site } = useSite();
  const serverName = use(ServerName);
  const isClosed = site?.signup === "closed";
  if (isSignedIn) {
    return (
      <>
        <Alert kind="note" className={auth.alert}>
          You have an account here already.
        </Alert>
        <p className={auth.text}>The invitation is for a new reader of this server.</p>
        <Onward />
      </>
    );
  }
  return (
    <>
      <p className={auth.text}>
        {invitation.inviter ?? "Someone"} invites you to {serverName}, where people keep track of what they read.
      </p>
      {invitation.email !== null && <p className={`hint ${css.as}`}>The invitation is for {invitation.email}.</p>}
      {isClosed && (
        <p className={auth.text}>The server does not accept new accounts at the moment. Ask the person who runs it.</p>
      )}
      <Actions>
        {!isClosed && (
          <LinkButton wide variant="primary" href={paths.signup({ invite: token })}>
            Create an Account
          </LinkButton>
        )}
        <LinkButton wide href={paths.login()}>
          Log In
        </LinkButton>
      </Actions>
    </>
  );
}

/** The invitation was used, declined or taken back, or has expired. */
function Ended({ inviter }: { inviter: string }) {
  return (
    <>
      <Alert kind="note" className={auth.alert}>
        This invitation has been used, or its seven days are over.
      </Alert>
      <p className={auth.text}>Ask {inviter || "the person who sent it"} for a new one.</p>
      <Onward />
    </>
  );
}

/** The link was never valid, or was cut short on its way. */
function UnknownLink() {
  return (
    <>
      <Alert className={auth.alert}>This link is not an invitation, or a part of it is missing.</Alert>
      <p className={auth.text}>Copy it once more from where you got it, or ask the person who sent it for a new one.</p>
      <Onward />
    </>
  );
}

function Onward() {
  const { user } = useViewer();
  return (
    <Actions>
      <LinkButton wide href={user ? paths.dashboard() : paths.login()}>
        {user ? "Go to the Dashboard" : "Log In"}
      </LinkButton>
    </Actions>
  );
}

function Lead({ inviter }: Pick<Invitation, "inviter">) {
  return (
    <p className={auth.text}>
      {inviter} invites you to read together: a shared dashboard and group challenges. Your library stays yours; the
      team sees nothing of it until you switch sharing on.
    </p>
  );
}

interface InvitationProps {
  token: string;
  invitation: Invitation;
}

/** For visitors: signing up and logging in both lead back to this page. */
function VisitorActions({ token, invitation }: InvitationProps) {
  const { data: site } = useSite();
  return (
    <>
      <Lead inviter={invitation.inviter} />
      <p className={`hint ${css.as}`}>The invitation is for {invitation.email}.</p>
      <Actions>
        {site?.signup !== "closed" && (
          <LinkButton wide variant="primary" href={paths.signup({ invite: token })}>
            Create an Account
          </LinkButton>
        )}
        <LinkButton wide href={paths.login({ next: paths.invitation(token) })}>
          Log In
        </LinkButton>
      </Actions>
    </>
  );
}

interface ReaderProps extends InvitationProps {
  user: User;
}

/** For a signed-in reader: accepting, or the reason why they can't. */
function ReaderActions({ token, invitation, user }: ReaderProps) {
  const { data: team, isPending } = useTeam();
  const zone = useZone();
  const accept = useAccept(token);
  const [shareWithTeam, setShareWithTeam] = useState(false);
  const elsewhere = accept.error instanceof ApiError && accept.error.code === "other_address";
  if (elsewhere || !fits(user.email, invitation.email ?? "")) return <OtherAddress {...{ token, invitation, user }} />;
  if (isPending) {
    return (
      <p className={auth.text}>
        <Spinner>Asking for your team</Spinner>
      </p>
    );
  }
  if (team) return <InAnotherTeam token={token} invitation={invitation} team={team.name} />;
  return (
    <>
      <Lead inviter={invitation.inviter} />
      {accept.isError && (
        <Alert className={auth.alert}>{errorMessage(accept.error, "The team could not be joined.")}</Alert>
      )}
      <Actions>
        <Checkbox
          checked={shareWithTeam}
          disabled={accept.isPending || accept.isSuccess}
          onChange={(event) => setShareWithTeam(event.target.checked)}
        >
          Share what I finish with this team
        </Checkbox>
        <AcceptButton team={invitation.team ?? ""} shareWithTeam={shareWithTeam} accept={accept} />
        <DeclineButton token={token} />
      </Actions>
      <p className={`hint ${css.as}`}>
        Logged in as {user.email}. The invitation is good until {instantDate(invitation.expiresAt, zone)}.
      </p>
    </>
  );
}

interface AcceptButtonProps {
  team: string;
  shareWithTeam: boolean;
  accept: ReturnType<typeof useAccept>;
}

function AcceptButton({ team, shareWithTeam, accept }: AcceptButtonProps) {
  const [, navigate] = useLocation();
  const press = () =>
    accept.mutate(
      { shareWithTeam },
      {
        onSuccess: () => {
          toast({ title: "You have joined the team", description: team });
          navigate(paths.team());
        },
      },
    );
  return (
    <Button wide variant="primary" busy={(accept.isPending || accept.isSuccess) && "Joining..."} onClick={press}>
      Accept Invitation
    </Button>
  );
}

function DeclineButton({ token }: { token: string }) {
  const [, navigate] = useLocation();
  const decline = useDecline(token);
  const press = () =>
    decline.mutate(undefined, {
      onSuccess: () => {
        toast({ title: "Invitation declined" });
        navigate(paths.dashboard());
      },
      onError: (error) =>
        toast({
          title: "Error",
          description: errorMessage(error, "Failed to decline the invitation"),
          destructive: true,
        }),
    });
  return (
    <Button wide variant="quiet" busy={decline.isPending && "Declining..."} onClick={press}>
      Decline
    </Button>
  );
}

function OtherAddress({ token, invitation, user }: ReaderProps) {
  const [, navigate] = useLocation();
  const { logOut, isLeaving, question } = useLogOut(() => navigate(paths.login({ next: paths.invitation(token) })));
  return (
    <>
      <Alert className={auth.alert}>
        This invitation is for {invitation.email}. You are logged in as {user.email}.
      </Alert>
      <Actions>
        <Button wide variant="primary" busy={isLeaving && "Logging out..."} onClick={logOut}>
          Log Out and Switch
        </Button>
        <LinkButton wide variant="quiet" href={paths.dashboard()}>
          Stay logged in
        </LinkButton>
      </Actions>
      {question}
    </>
  );
}

function InAnotherTeam({ token, invitation, team }: InvitationProps & { team: string }) {
  return (
    <>
      <Alert kind="note" className={auth.alert}>
        You are in a team already, <span className="serif">{team}</span>.
      </Alert>
      <p className={auth.text}>
        An account belongs to one team. To join <span className="serif">{invitation.team}</span>, leave the other first.
      </p>
      <Actions>
        <LinkButton wide href={paths.team()}>
          Go to Your Team
        </LinkButton>
        <DeclineButton token={token} />
      </Actions>
    </>
  );
}
