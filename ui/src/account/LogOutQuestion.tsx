import { counted } from "../kit/format";
import { AlertDialog } from "../kit/ui/Dialog";
import type { Unsaved } from "./api";

interface LogOutQuestionProps {
  unsaved: Unsaved;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a log-out that loses what waits for a connection, or what was typed and not saved. */
export default function LogOutQuestion({ unsaved: { acts, drafts }, onClose, onConfirm }: LogOutQuestionProps) {
  const has = (number: number) => (number === 1 ? "has" : "have");
  const lost = [
    acts > 0 && `${counted(acts, "note")} ${has(acts)} not been sent`,
    drafts > 0 && `${counted(drafts, "form")} ${has(drafts)} text that is not saved`,
  ].filter(Boolean);
  return (
    <AlertDialog
      onClose={onClose}
      title="Log out?"
      text={`${lost.join(", and ")}. Log out and lose ${acts + drafts === 1 ? "it" : "them"}?`}
      cancel="Stay logged in"
      confirm="Log Out"
      action={onConfirm}
    />
  );
}
