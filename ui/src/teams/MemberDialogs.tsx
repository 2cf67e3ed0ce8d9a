import { useState } from "react";
import { usePreferences } from "../access/preferences";
import { useIsPrivate } from "../access/site";
import { useSubscription } from "../access/subscription";
import type { TeamMember, TeamRole } from "../kit/api/types";
import { instantDate } from "../kit/format";
import people from "../kit/people.module.css";
import { Alert } from "../kit/ui/Alert";
import { ChoiceRows } from "../kit/ui/Choice";
import { AlertDialog, DialogItem } from "../kit/ui/Dialog";
import { FormDialog } from "../kit/ui/FormDialog";
import { ROLE_NAMES } from "./model";
import css from "./Team.module.css";

interface MemberDialogProps {
  member: TeamMember;
  onClose: () => void;
}

interface RemoveDialogProps extends MemberDialogProps {
  onConfirm: () => Promise<unknown>;
}

/** Asks before a member is removed from the team. */
export function RemoveDialog({ member, onConfirm, onClose }: RemoveDialogProps) {
  const { data: preferences } = usePreferences();
  const isPrivate = useIsPrivate();
  const { displayName, email } = member.user;
  return (
    <AlertDialog
      onClose={onClose}
      title="Remove Team Member"
      text={`${displayName} leaves the team, its dashboard and its challenges. Their library stays theirs${isPrivate ? "" : "; their account falls back to its own plan"}.`}
      cancel="Keep member"
      confirm="Remove member"
      busy="Removing..."
      action={onConfirm}
      failed="Failed to remove member"
      failedTitle="Removal Failed"
    >
      <DialogItem>
        <div>
          <p className={people.name}>{displayName}</p>
          <p className={people.email}>
            {email}, {member.role} since {instantDate(member.joinedAt, preferences?.timezone)}
          </p>
        </div>
      </DialogItem>
    </AlertDialog>
  );
}

const MAY: Record<TeamRole, string> = {
  owner: "Manages everything. There is one owner.",
  admin: "Invites and removes members, names the team, sets challenges.",
  member: "Reads along.",
};

const PAYS = "Pays for the team and manages everything. There is one owner.";

function rows(isPrivate: boolean) {
  return (["owner", "admin", "member"] as const).map((role) => ({
    value: role,
    label: (
      <>
        {ROLE_NAMES[role]}
        <span className={`hint ${css.may}`}>{role === "owner" && !isPrivate ? PAYS : MAY[role]}</span>
      </>
    ),
  }));
}

interface RoleDialogProps extends MemberDialogProps {
  onChoose: (role: TeamRole) => Promise<unknown>;
}

/** Asks for a member's new role. Choosing "owner" hands the team over. */
export function RoleDialog({ member, onChoose, onClose }: RoleDialogProps) {
  const [role, setRole] = useState<TeamRole>(member.role);
  const isPrivate = useIsPrivate();
  const { displayName } = member.user;
  const transfers = role === "owner";
  return (
    <FormDialog
      title="Change Member Role"
      text={`${displayName} is ${member.role === "admin" ? "an admin" : "a member"}.`}
      label={transfers ? "Transfer ownership" : "Change role"}
      destructive={transfers}
      disabled={role === member.role}
      action={() => onChoose(role)}
      failed="Failed to change the role"
      failedTitle="Update Failed"
      onClose={onClose}
    >
      <fieldset className={css.choices}>
        <legend className="vh">Role of {displayName}</legend>
        <ChoiceRows name="role" value={role} onChoose={setRole} rows={rows(isPrivate)} />
      </fieldset>
      {transfers && <Handover name={displayName} />}
    </FormDialog>
  );
}

/** What handing the team over means for the owner. */
function Handover({ name }: { name: string }) {
  const { data: current } = useSubscription();
  const pays = current?.subscription.source === "stripe";
  return (
    <Alert className={css.handover}>
      Transferring ownership makes you an admin. Only {name} can give it back.
      {pays && " Your card goes on paying until they check out themselves."}
    </Alert>
  );
}
