import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useAfterLogOut, useSite } from "../access/site";
import { useUser } from "../access/viewer";
import { ActRow } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { logOut, type Unsaved, unsavedOf } from "./api";
import LogOutQuestion from "./LogOutQuestion";

export function LogOutTab() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const afterwards = useAfterLogOut();
  const { id } = useUser();
  const [unsaved, setUnsaved] = useState<Unsaved | null>(null);
  const logOutNow = () => logOut(client, () => navigate(afterwards));
  const ask = () => {
    const kept = unsavedOf(id);
    if (kept) setUnsaved(kept);
    else logOutNow();
  };
  const byProxy = useSite().data?.proxyLogin;
  const again = byProxy ? " If a proxy signs you in, log out there too. Otherwise it signs you in again." : "";
  // Preloads the page for a failed log-out, which could not be loaded without a network.
  useEffect(() => {
    import("./LogOutFailed").catch(() => undefined);
  }, []);
  return (
    <ActRow
      title="Log out of this browser"
      hint={`Your books stay where they are. Unsaved drafts in this browser are removed.${again}`}
    >
      <Button icon="logout" onClick={ask}>
        Log Out
      </Button>
      {unsaved && <LogOutQuestion unsaved={unsaved} onClose={() => setUnsaved(null)} onConfirm={logOutNow} />}
    </ActRow>
  );
}
