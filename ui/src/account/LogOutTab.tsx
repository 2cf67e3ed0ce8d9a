import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { actKeys } from "../access/outbox";
import { useAfterLogOut, useSite } from "../access/site";
import { useUser } from "../access/viewer";
import { ActRow } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { logOut } from "./api";
import LogOutQuestion from "./LogOutQuestion";

export function LogOutTab() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const afterwards = useAfterLogOut();
  const { id } = useUser();
  const [unsent, setUnsent] = useState(0);
  const logOutNow = () => logOut(client, () => navigate(afterwards));
  const ask = () => {
    const kept = actKeys(id).length;
    if (kept > 0) setUnsent(kept);
    else logOutNow();
  };
  const byProxy = useSite().data?.proxyLogin;
  const again = byProxy ? " If a proxy signs you in, log out there too. Otherwise it signs you in again." : "";
  // Preloads the page for a failed log-out, which could not be fetched without a network.
  useEffect(() => {
    import("./LogOutFailed").catch(() => undefined);
  }, []);
  return (
    <ActRow
      title="Log out of this browser"
      hint={`Your books stay where they are. An unsaved draft in this browser is cleared.${again}`}
    >
      <Button icon="logout" onClick={ask}>
        Log Out
      </Button>
      {unsent > 0 && <LogOutQuestion unsent={unsent} onClose={() => setUnsent(0)} onConfirm={logOutNow} />}
    </ActRow>
  );
}
