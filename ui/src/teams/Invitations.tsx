import { useEffect, useRef } from "react";
import { usePreferences } from "../access/preferences";
import { errorMessage } from "../kit/api/client";
import type { Team, TeamInvitation } from "../kit/api/types";
import { instantDate } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { Item, Items } from "../kit/ui/Items";
import { toast } from "../kit/ui/toast";
import { useInvite, useKnownLinks, useTakeBack } from "./api";
import css from "./Team.module.css";

interface InvitationsProps {
  team: Team;
  /** A team without a paid plan can't renew links. */
  canRenew: boolean;
  /** Shows an invitation with its link. */
  onLink: (invitation: TeamInvitation) => void;
}

/** The pending invitations. */
export function Invitations({ team: { invitations }, canRenew, onLink }: InvitationsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(invitations.length);
  const takeBack = useTakeBack();

  // A removed row takes the focus with it: the focus moves to the list, or to the element after it.
  useEffect(() => {
    const isFewer = invitations.length < shown.current;
    shown.current = invitations.length;
    if (!isFewer || document.activeElement !== document.body) return;
    (heading.current ?? document.getElementById("members"))?.focus({ preventScroll: true });
  }, [invitations.length]);

  if (invitations.length === 0) return null;
  const end = (invitation: TeamInvitation) =>
    takeBack.mutate(invitation, {
      onSuccess: () => toast({ title: "Invitation taken back", description: invitation.email }),
      onError: (error) =>
        toast({
          title: "Error",
          description: errorMessage(error, "Failed to take the invitation back"),
          destructive: true,
        }),
    });
  return (
    <section className={`section ${css.listed}`} aria-labelledby="invitations">
      <h2 className="h2" id="invitations" ref={heading} tabIndex={-1}>
        Invitations
      </h2>
      <Items bare>
        {invitations.map((invitation) => (
          <One
            key={invitation.id}
            invitation={invitation}
            canRenew={canRenew}
            onLink={onLink}
            ending={takeBack.isPending && takeBack.variables.id === invitation.id}
            onEnd={() => end(invitation)}
          />
        ))}
      </Items>
    </section>
  );
}

interface OneProps extends Pick<InvitationsProps, "canRenew" | "onLink"> {
  invitation: TeamInvitation;
  /** Whether the invitation is being taken back. */
  ending: boolean;
  onEnd: () => void;
}

function One({ invitation, canRenew, onLink, ending, onEnd }: OneProps) {
  const { email, createdAt, expiresAt } = invitation;
  const { data: preferences } = usePreferences();
  const date = (instant: string) => instantDate(instant, preferences?.timezone);
  return (
    <Item
      title={email}
      hint={`Sent ${date(createdAt)}, good until ${date(expiresAt)}`}
      actions={
        <>
          {canRenew && <LinkAction invitation={invitation} onLink={onLink} />}
          <QuietAction label={`Take back the invitation to ${email}`} busy={ending && "Taking back..."} onPress={onEnd}>
            Take back
          </QuietAction>
        </>
      }
    />
  );
}

/** Copies the link while this browser still has it. The server never shows it again, but can make a new one. */
function LinkAction({ invitation, onLink }: Pick<OneProps, "invitation" | "onLink">) {
  const { email, id } = invitation;
  const inviteUrl = useKnownLinks()[id];
  const renew = useInvite();
  const copy = async (link: string) => {
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: "Link copied", description: email });
    } catch {
      // The clipboard requires HTTPS. Without it the link is shown, to be copied by hand.
      onLink({ ...invitation, inviteUrl: link });
    }
  };
  if (inviteUrl) {
    return (
      <QuietAction label={`Copy link for ${email}`} onPress={() => copy(inviteUrl)}>
        Copy link
      </QuietAction>
    );
  }
  return (
    <QuietAction
      label={`New link for ${email}`}
      busy={renew.isPending && "Making a link..."}
      onPress={() =>
        renew.mutate(email, {
          onSuccess: (made) => onLink(made.invitation),
          onError: (error) =>
            toast({
              title: "Invitation Failed",
              description: errorMessage(error, "Failed to invite member"),
              destructive: true,
            }),
        })
      }
    >
      New link
    </QuietAction>
  );
}

interface QuietActionProps {
  /** The action, and the person whose invitation it applies to. */
  label: string;
  busy?: string | false;
  onPress: () => void;
  children: string;
}

/** One action of a row. It keeps the focus while it is in progress, which a disabled button would lose. */
function QuietAction({ label, busy, onPress, children }: QuietActionProps) {
  return (
    <Button
      variant="quiet"
      size="compact"
      aria-label={label}
      aria-disabled={busy ? true : undefined}
      onClick={() => busy || onPress()}
    >
      {busy || children}
    </Button>
  );
}
