import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { usePasswordLogin, useSite } from "../access/site";
import { api } from "../kit/api/client";
import { paths } from "../kit/paths";
import { Button } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { FormDialog } from "../kit/ui/FormDialog";
import { PasswordField } from "./AccountFields";
import { confirmation } from "./confirmation";
import { identitiesQuery } from "./identities";
import { useLogOut } from "./useLogOut";

const TITLE = "Confirm it’s you";

/** The dialog that `askToConfirm` opens, whichever part of the page made the call. A page with such calls renders it once. */
export function ConfirmDialog() {
  const isAsked = useSyncExternalStore(confirmation.subscribe, confirmation.isAsked);
  // Once the page is gone, no one can answer the dialog.
  useEffect(() => () => confirmation.answer(false), []);
  return isAsked && <ByWhatThereIs />;
}

function ByWhatThereIs() {
  const { data: identities, isPending } = useQuery(identitiesQuery);
  if (isPending) return null;
  return identities?.hasPassword === false ? <SignInAgain /> : <ConfirmByPassword />;
}

const cancel = () => confirmation.answer(false);

function ConfirmByPassword() {
  const [password, setPassword] = useState("");
  const { mutateAsync } = useMutation({
    mutationFn: () => api.post("/api/auth/confirm", { password }),
    // A retry of a wrong password would count as another guess.
    retry: false,
  });
  return (
    <FormDialog
      title={TITLE}
      text="You logged in a while ago. Your password protects this change from anyone else at this browser."
      label="Confirm"
      busy="Checking..."
      action={mutateAsync}
      onDone={() => confirmation.answer(true)}
      onClose={cancel}
    >
      <PasswordField label="Your password" name="currentPassword password" onType={setPassword} />
    </FormDialog>
  );
}

/** An account without a password confirms by signing in again, which counts for the next ten minutes. */
function SignInAgain() {
  const [, navigate] = useLocation();
  const redirects = useSite().data?.loginRedirect;
  const reason = usePasswordLogin() ? "Your account has no password." : "This server uses no passwords.";
  const { logOut, isLeaving, question } = useLogOut(() => navigate(paths.login(redirects ? { stay: true } : {})));
  return (
    <Dialog
      onClose={cancel}
      busy={isLeaving}
      title={TITLE}
      text={`${reason} Log out and log in again: for ten minutes after that you can make this change.`}
      foot={
        <>
          <DialogClose>
            <Button disabled={isLeaving}>Cancel</Button>
          </DialogClose>
          <Button variant="primary" busy={isLeaving && "Logging out..."} onClick={logOut}>
            Log Out and Log In Again
          </Button>
        </>
      }
    >
      {question}
    </Dialog>
  );
}
