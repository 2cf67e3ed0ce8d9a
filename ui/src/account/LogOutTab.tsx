import { useLocation } from "wouter";
import { useAfterLogOut, useSite } from "../access/site";
import { ActRow } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { useLogOut } from "./useLogOut";

export function LogOutTab() {
  const [, navigate] = useLocation();
  const afterwards = useAfterLogOut();
  const { logOut, isLeaving, question } = useLogOut(() => navigate(afterwards));
  const byProxy = useSite().data?.proxyLogin;
  const again = byProxy ? " If a proxy signs you in, log out there too. Otherwise it signs you in again." : "";
  return (
    <ActRow
      title="Log out of this browser"
      hint={`Your books stay where they are. Unsaved drafts in this browser are removed.${again}`}
    >
      <Button icon="logout" busy={isLeaving && "Logging out..."} onClick={logOut}>
        Log Out
      </Button>
      {question}
    </ActRow>
  );
}
