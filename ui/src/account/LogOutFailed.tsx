import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { AuthLayout } from "./AuthLayout";
import css from "./AuthLayout.module.css";
import { finishLogOut } from "./api";

/**
 * Replaces every page while the server has not confirmed a log-out. It tries again once by itself, for a reader who
 * comes back later, and then whenever its button is pressed.
 */
export default function LogOutFailed() {
  const client = useQueryClient();
  const [trying, setTrying] = useState(true);
  const tryAgain = useCallback(async () => {
    setTrying(true);
    const done = await finishLogOut(client);
    // After success this page is no longer mounted.
    if (!done) setTrying(false);
  }, [client]);
  useEffect(() => {
    tryAgain();
  }, [tryAgain]);
  return (
    <AuthLayout title="Log out" after="Your library and your drafts are removed from this browser.">
      <Alert className={css.alert}>
        This browser may still be logged in: the server did not confirm that you logged out.
      </Alert>
      <p className={css.text}>Until it does, anyone who uses this browser may be able to open your library.</p>
      <div className={`${css.actions} ${css.form}`}>
        <Button wide variant="primary" busy={trying && "Logging out..."} onClick={tryAgain}>
          Try Again
        </Button>
      </div>
    </AuthLayout>
  );
}
