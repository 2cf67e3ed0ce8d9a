import { useLocation } from "wouter";
import { useIsPrivate } from "../access/site";
import { useUser } from "../access/viewer";
import type { Team } from "../kit/api/types";
import { paths } from "../kit/paths";
import { AlertDialog } from "../kit/ui/Dialog";
import { toast } from "../kit/ui/toast";
import { useLeave } from "./api";

interface LeaveDialogProps {
  team: Team;
  onClose: () => void;
}

/** Asks before the reader leaves the team, and then opens the reader's own dashboard. */
export function LeaveDialog({ team, onClose }: LeaveDialogProps) {
  const { id } = useUser();
  const [, navigate] = useLocation();
  const leave = useLeave();
  const isPrivate = useIsPrivate();
  const confirm = async () => {
    await leave.mutateAsync(id);
    toast({ title: "You have left the team", description: team.name });
    navigate(paths.dashboard());
  };
  return (
    <AlertDialog
      onClose={onClose}
      title={`Leave ${team.name}?`}
      text={`You leave its dashboard and challenges${isPrivate ? "" : ", and your account falls back to its own plan"}. Your library stays yours.`}
      cancel="Stay"
      confirm="Leave Team"
      busy="Leaving..."
      action={confirm}
      failed="Failed to leave the team"
      failedTitle="Removal Failed"
    />
  );
}
