import { type SubmitEvent, useId, useState } from "react";
import { type DraftedForm, useDraft } from "../access/drafts";
import { usePreferences } from "../access/preferences";
import { useSite } from "../access/site";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { TEAM_INVITATION_CREATE } from "../kit/api/limits";
import type { TeamInvitation } from "../kit/api/types";
import { instantDate, whole } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, Input } from "../kit/ui/Field";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { useInvite } from "./api";
import { isAddress } from "./model";

interface InviteDialogProps {
  /** Free seats, undefined while they are unknown. */
  available: number | undefined;
  onClose: () => void;
}

/** Asks for the address to invite, and then shows the link. */
export function InviteDialog({ available, onClose }: InviteDialogProps) {
  const id = useId();
  const { data: site } = useSite();
  const invite = useInvite();
  const draft = useDraft("team.invitation", { email: "" });
  const link = useLinkParts();
  const sent = site?.mail ? ", and we send it by mail too" : "";
  const asking = {
    title: "Invite Team Member",
    text: `An invitation holds a seat for seven days. You get a link to send${sent}.${freeSeats(available)}`,
    children: <InviteForm id={id} invite={invite} draft={draft} />,
    foot: (
      <>
        <DialogClose>
          <Button onClick={draft.startOver}>Cancel</Button>
        </DialogClose>
        <Button
          type="submit"
          form={id}
          variant="primary"
          disabled={!available}
          busy={invite.isPending && "Inviting..."}
        >
          Create invitation
        </Button>
      </>
    ),
  };
  const parts = invite.data ? link(invite.data.invitation) : asking;
  return <Dialog open onOpenChange={(open) => open || onClose()} {...parts} />;
}

function freeSeats(available: number | undefined): string {
  if (available === undefined) return "";
  if (available === 1) return " 1 seat is available.";
  return ` ${available === 0 ? "No" : whole(available)} seats are available.`;
}

interface InviteFormProps {
  id: string;
  invite: ReturnType<typeof useInvite>;
  draft: DraftedForm<{ email: string }>;
}

function InviteForm({ id, invite, draft }: InviteFormProps) {
  const { email } = draft.values;
  const [invalid, setInvalid] = useState(false);
  const form = useFocusBack(invite.isError || invalid);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setInvalid(!isAddress(email));
    if (!isAddress(email)) {
      toast({ title: "Invalid Email", description: "Please enter a valid email address", destructive: true });
      return;
    }
    invite.mutate(email.trim(), {
      onSuccess: ({ invitation }) => {
        draft.forget();
        toast({ title: "Member Invited", description: invitation.email });
      },
      onError: (error) =>
        toast({
          title: "Invitation Failed",
          description: errorMessage(error, "Failed to invite member"),
          destructive: true,
        }),
    });
  };
  return (
    <form className="form" id={id} ref={form} onSubmit={submit} noValidate>
      {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
      <Field label="Email" error={invalid ? "Please enter a valid email address" : fieldsOf(invite.error).email}>
        <Input
          type="email"
          autoComplete="off"
          placeholder="name@example.org"
          maxLength={TEAM_INVITATION_CREATE.email.maxLength}
          value={email}
          onChange={(event) => {
            draft.change({ email: event.target.value });
            setInvalid(false);
          }}
        />
      </Field>
    </form>
  );
}

interface LinkDialogProps {
  invitation: TeamInvitation;
  onClose: () => void;
}

/** Shows the link of an invitation. */
export function LinkDialog({ invitation, onClose }: LinkDialogProps) {
  const link = useLinkParts();
  return <Dialog open onOpenChange={(open) => open || onClose()} {...link(invitation)} />;
}

/** The texts about an invitation's link, shared by both dialogs. */
function useLinkParts() {
  const { data: site } = useSite();
  const { data: preferences } = usePreferences();
  return ({ email, expiresAt, inviteUrl }: TeamInvitation) => ({
    title: `Invitation for ${email}`,
    text: `Send this link to them. It works once, until ${instantDate(expiresAt, preferences?.timezone)}, for an account with this address.`,
    children: (
      <CopyField label="Link" value={inviteUrl ?? ""} hint={site?.mail && "We have sent it by mail as well."} />
    ),
    foot: (
      <DialogClose>
        <Button variant="primary">Done</Button>
      </DialogClose>
    ),
  });
}
