import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useDraft } from "../access/drafts";
import { usePreferences } from "../access/preferences";
import { useSite } from "../access/site";
import { errorMessage } from "../kit/api/client";
import { SERVER_INVITATION_CREATE } from "../kit/api/limits";
import type { ServerInvitation } from "../kit/api/types";
import { instantDate } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { NotFetched } from "../kit/ui/Fetched";
import { Field, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { Item, Items } from "../kit/ui/Items";
import { toast } from "../kit/ui/toast";
import { invitationsQuery, useInviteToServer, useRevokeInvitation } from "./api";

/** Invites an address, or anyone with the link, to the server, and then shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { data: site } = useSite();
  const { data: preferences } = usePreferences();
  const invite = useInviteToServer();
  const draft = useDraft("admin.invitation", { email: "" });
  const { email } = draft.values;
  return (
    <FormDialog
      title="Invite someone"
      text="You get a link to send. One person can sign up with it, within seven days."
      label="Create invitation"
      busy="Inviting..."
      action={() => invite.mutateAsync(email.trim())}
      made={(made) => ({
        title: made.invitation.email ? `Invitation for ${made.invitation.email}` : "An invitation",
        text: `Send this link, which is shown only now. One person can sign up with it, until ${instantDate(made.invitation.expiresAt, preferences?.timezone)}.`,
        children: (
          <CopyField
            label="Link"
            value={made.url}
            hint={made.invitation.email !== null && site?.mail && "We have sent it by mail as well."}
          />
        ),
      })}
      failed="The invitation could not be made."
      draft={draft}
      noValidate
      onClose={onClose}
    >
      <Field label="Email" name="email" hint="Optional. Without it, anyone with the link can sign up.">
        <Input
          type="email"
          autoComplete="off"
          placeholder="name@example.org"
          maxLength={SERVER_INVITATION_CREATE.email.maxLength}
          value={email}
          onChange={(event) => draft.change({ email: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}

/** The open invitations to the server. Nothing without any. */
export function ServerInvitations() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: invitations, error, refetch } = useQuery(invitationsQuery);
  const revoke = useRevokeInvitation();
  if (error) {
    return (
      <NotFetched error={error} onRetry={refetch}>
        The invitations could not be loaded.
      </NotFetched>
    );
  }
  if (!invitations?.length) return null;
  const end = (invitation: ServerInvitation) =>
    revoke.mutate(invitation.id, {
      onSuccess: () => {
        toast({ title: "Invitation taken back", description: invitation.email ?? undefined });
        // The pressed button is gone.
        heading.current?.focus({ preventScroll: true });
      },
      onError: (failure) =>
        toast({
          title: "Error",
          description: errorMessage(failure, "Failed to take the invitation back"),
          destructive: true,
        }),
    });
  return (
    <section className="section" aria-labelledby="server-invitations">
      <h2 className="h2" id="server-invitations" ref={heading} tabIndex={-1}>
        Invitations
      </h2>
      <Items bare>
        {invitations.map((invitation) => (
          <Invited
            key={invitation.id}
            invitation={invitation}
            ending={revoke.isPending && revoke.variables === invitation.id}
            onEnd={() => end(invitation)}
          />
        ))}
      </Items>
    </section>
  );
}

interface InvitedProps {
  invitation: ServerInvitation;
  ending: boolean;
  onEnd: () => void;
}

function Invited({ invitation, ending, onEnd }: InvitedProps) {
  const { data: preferences } = usePreferences();
  const title = invitation.email ?? "Anyone with the link";
  const until = instantDate(invitation.expiresAt, preferences?.timezone);
  return (
    <Item
      title={title}
      hint={`Good until ${until}`}
      action={
        <Button
          variant="quiet"
          size="compact"
          busy={ending && "Taking back..."}
          aria-label={`Take back the invitation: ${title}, until ${until}`}
          onClick={onEnd}
        >
          Take back
        </Button>
      }
    />
  );
}
