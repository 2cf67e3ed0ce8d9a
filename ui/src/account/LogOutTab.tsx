import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { paths } from "../kit/paths";
import { ActRow } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { logOut } from "./api";

export function LogOutTab() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  // Preloads the page for a failed log-out, which could not be fetched without a network.
  useEffect(() => {
    import("./LogOutFailed").catch(() => undefined);
  }, []);
  return (
    <ActRow
      title="Log out of this browser"
      hint="Your books stay where they are. An unsaved draft in this browser is cleared."
    >
      <Button icon="logout" onClick={() => logOut(client, () => navigate(paths.landing()))}>
        Log Out
      </Button>
    </ActRow>
  );
}
