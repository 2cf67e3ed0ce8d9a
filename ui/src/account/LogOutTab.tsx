import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useAfterLogOut, useSite } from "../access/site";
import { ActRow } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { logOut } from "./api";

export function LogOutTab() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const afterwards = useAfterLogOut();
  const byProxy = useSite().data?.proxyLogin;
  const again = byProxy ? " Where a proxy signs you in, log out there as well: it would sign you in again." : "";
  // Preloads the page for a failed log-out, which could not be fetched without a network.
  useEffect(() => {
    import("./LogOutFailed").catch(() => undefined);
  }, []);
  return (
    <ActRow
      title="Log out of this browser"
      hint={`Your books stay where they are. An unsaved draft in this browser is cleared.${again}`}
    >
      <Button icon="logout" onClick={() => logOut(client, () => navigate(afterwards))}>
        Log Out
      </Button>
    </ActRow>
  );
}
