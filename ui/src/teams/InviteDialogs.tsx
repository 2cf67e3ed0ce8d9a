import { useDraft } from "../access/drafts";
import { usePreferences } from "../access/preferences";
import { useSite } from "../access/site";
import { InvalidFields } from "../kit/api/client";
import { TEAM_INVITATION_CREATE } from "../kit/api/limits";
import type { TeamInvitation } from "../kit/api/types";
import { instantDate, whole } from "../kit/format";
import { CopyField } from "../kit/ui/CopyField";
import { Field, Input } from "../kit/ui/Field";
import { FormDialog, MadeDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { useInvite } from "./api";
import { isAddress } from "./model";

interface InviteDialogProps {
  /** Free seats, undefined while they are unknown. */
  available: number | undefined;
  onClose: () => void;
}

/** Asks for the address to invite, and then shows the link. */
export function InviteDialog({ available, onClose }: InviteDialogProps) {
  const { data: site } = useSite();
  const { mutateAsync } = useInvite();
  const draft = useDraft("team.invitation", { email: "" });
  const { email } = draft.values;
  const link = useLinkParts();
  const sent = site?.mail ? ", and we send it by mail too" : "";
  const invite = async () => {
    if (!isAddress(email)) {
      const wrong = "Please enter a valid email address";
      toast({ title: "Invalid Email", description: wrong, destructive: true });
      throw new InvalidFields({ email: wrong });
    }
    const { invitation } = await mutateAsync(email.trim());
    toast({ title: "Member Invited", description: invitation.email });
    return invitation;
  };
  return (
    <FormDialog
      title="Invite Team Member"
      text={`An invitation holds a seat for seven days. You get a link to send${sent}.${freeSeats(available)}`}
      label="Create invitation"
      busy="Inviting..."
      action={invite}
      made={link}
      failed="Failed to invite member"
      failedTitle="Invitation Failed"
      draft={draft}
      disabled={!available}
      noValidate
      onClose={onClose}
    >
      <Field label="Email" name="email">
        <Input
          type="email"
          autoComplete="off"
          placeholder="name@example.org"
          maxLength={TEAM_INVITATION_CREATE.email.maxLength}
          value={email}
          onChange={(event) => draft.change({ email: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}

function freeSeats(available: number | undefined): string {
  if (available === undefined) return "";
  if (available === 1) return " 1 seat is available.";
  return ` ${available === 0 ? "No" : whole(available)} seats are available.`;
}

interface LinkDialogProps {
  invitation: TeamInvitation;
  onClose: () => void;
}

/** Shows the link of an invitation. */
export function LinkDialog({ invitation, onClose }: LinkDialogProps) {
  const link = useLinkParts();
  return <MadeDialog {...link(invitation)} onClose={onClose} />;
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
  });
}
