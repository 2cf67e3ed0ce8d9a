import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useRef } from "react";
import { type DraftedForm, useDraft } from "../access/drafts";
import { usePreferences } from "../access/preferences";
import { useSite } from "../access/site";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { SERVER_INVITATION_CREATE } from "../kit/api/limits";
import type { ServerInvitation } from "../kit/api/types";
import { instantDate } from "../kit/format";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, Input } from "../kit/ui/Field";
import { Item, Items } from "../kit/ui/Items";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { invitationsQuery, useInviteToServer, useRevokeInvitation } from "./api";

/** Invites an address, or anybody with the link, to the server, and then shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { data: site } = useSite();
  const { data: preferences } = usePreferences();
  const invite = useInviteToServer();
  const draft = useDraft("admin.invitation", { email: "" });
  const made = invite.data;
  const parts = made
    ? {
        title: made.invitation.email ? `Invitation for ${made.invitation.email}` : "An invitation",
        text: `Send this link, which is shown only now. One person can sign up with it, until ${instantDate(made.invitation.expiresAt, preferences?.timezone)}.`,
        children: (
          <CopyField
            label="Link"
            value={made.url}
            hint={made.invitation.email !== null && site?.mail && "We have sent it by mail as well."}
          />
        ),
        foot: (
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        ),
      }
    : {
        title: "Invite somebody",
        text: "You get a link to send. One person can sign up with it, within seven days.",
        children: <InviteForm id={id} invite={invite} draft={draft} />,
        foot: (
          <>
            <DialogClose>
              <Button onClick={draft.startOver}>Cancel</Button>
            </DialogClose>
            <Button type="submit" form={id} variant="primary" busy={invite.isPending && "Inviting..."}>
              Create invitation
            </Button>
          </>
        ),
      };
  return <Dialog open onOpenChange={(open) => open || onClose()} {...parts} />;
}

interface InviteFormProps {
  id: string;
  invite: ReturnType<typeof useInviteToServer>;
  draft: DraftedForm<{ email: string }>;
}

function InviteForm({ id, invite, draft }: InviteFormProps) {
  const { email } = draft.values;
  const form = useFocusBack(invite.isError);
  const fields = fieldsOf(invite.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    invite.mutate(email.trim(), { onSuccess: draft.forget });
  };
  return (
    <form id={id} ref={form} onSubmit={submit} noValidate>
      <div className="form">
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        {invite.isError && !fields.email && (
          <Alert>{errorMessage(invite.error, "The invitation could not be made.")}</Alert>
        )}
        <Field label="Email" error={fields.email} hint="Optional. Without it, anybody with the link can sign up.">
          <Input
            type="email"
            autoComplete="off"
            placeholder="name@example.org"
            maxLength={SERVER_INVITATION_CREATE.email.maxLength}
            value={email}
            onChange={(event) => draft.change({ email: event.target.value })}
          />
        </Field>
      </div>
    </form>
  );
}

/** The open invitations to the server. Nothing without any. */
export function ServerInvitations() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: invitations, error, refetch } = useQuery(invitationsQuery);
  const revoke = useRevokeInvitation();
  if (error) {
    return (
      <Alert>
        <p>{errorMessage(error, "The invitations could not be loaded.")}</p>
        <Button size="compact" onClick={() => refetch()}>
          Try again
        </Button>
      </Alert>
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
  const title = invitation.email ?? "Anybody with the link";
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
