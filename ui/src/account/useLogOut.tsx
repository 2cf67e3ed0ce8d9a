import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useUser } from "../access/viewer";
import { lazyDialog } from "../kit/ui/lazyPart";
import { logOut, type Unsaved, unsavedOf } from "./api";

const loadQuestion = () => import("./LogOutQuestion").then((all) => all.default);
const LogOutQuestion = lazyDialog(loadQuestion);

/**
 * Logs out when `logOut` is called; before that it asks whether what only this browser has may be lost. `leave` navigates to a public page.
 * Render the `question` with the button.
 */
export function useLogOut(leave: () => void): { logOut: () => void; isLeaving: boolean; question: ReactNode } {
  const client = useQueryClient();
  const { id } = useUser();
  const [unsaved, setUnsaved] = useState<Unsaved | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  // Preloads the question, and the page for a failed log-out, which could not be loaded without a network.
  useEffect(() => {
    Promise.all([loadQuestion(), import("./LogOutFailed")]).catch(() => undefined);
  }, []);
  const logOutNow = () => {
    setUnsaved(null);
    setLeaving(true);
    logOut(client, leave);
  };
  const ask = () => {
    const kept = unsavedOf(id);
    if (kept) setUnsaved(kept);
    else logOutNow();
  };
  return {
    logOut: ask,
    isLeaving,
    question: unsaved && <LogOutQuestion unsaved={unsaved} onClose={() => setUnsaved(null)} onConfirm={logOutNow} />,
  };
}
