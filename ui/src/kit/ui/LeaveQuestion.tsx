import { useEffect, useRef, useState } from "react";
import { guardLeaving, leaveAnyway } from "../leaving";
import { AlertDialog } from "./Dialog";

interface LeaveQuestionProps {
  /** Whether the form differs from what is stored. */
  isChanged: () => boolean;
  /** Whether what was typed is kept for the next visit. */
  isKept?: boolean;
}

/** Asks before the page of a changed form is left. Render it with the form. */
export function LeaveQuestion({ isChanged, isKept = true }: LeaveQuestionProps) {
  const [leaving, setLeaving] = useState<{ go: () => void; erases: boolean } | null>(null);
  const latest = useRef(isChanged);
  useEffect(() => {
    latest.current = isChanged;
  });
  useEffect(
    () =>
      guardLeaving({
        isChanged: () => latest.current(),
        ask: (go, erases) => setLeaving({ go, erases }),
      }),
    [],
  );
  // A closed tab, a reload, and an address that is typed: there the browser asks, in its own words.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => latest.current() && event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  if (!leaving) return null;
  const isLost = leaving.erases || !isKept;
  return (
    <AlertDialog
      onClose={() => setLeaving(null)}
      title="Leave without saving?"
      text={
        isLost
          ? "What you typed is not saved, and it is removed from this browser."
          : "What you typed is not saved. This browser keeps it for when you come back to this form."
      }
      cancel="Keep editing"
      confirm="Leave"
      destructive={isLost}
      action={() => leaveAnyway(leaving.go)}
    />
  );
}
