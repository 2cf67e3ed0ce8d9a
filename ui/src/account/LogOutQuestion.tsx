import { counted } from "../kit/format";
import { AlertDialog } from "../kit/ui/Dialog";

interface LogOutQuestionProps {
  /** How many acts have not been sent. */
  unsent: number;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a log-out that loses what waits for a connection. */
export default function LogOutQuestion({ unsent, onClose, onConfirm }: LogOutQuestionProps) {
  const isOne = unsent === 1;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Log out?"
      text={`${counted(unsent, "note")} ${isOne ? "has" : "have"} not been sent. Log out and lose ${isOne ? "it" : "them"}?`}
      cancel="Stay logged in"
      confirm="Log Out"
      onConfirm={onConfirm}
    />
  );
}
