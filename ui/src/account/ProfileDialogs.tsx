import { useState } from "react";
import { useDraft } from "../access/drafts";
import { useUser } from "../access/viewer";
import { ACCOUNT_UPDATE } from "../kit/api/limits";
import { Checkbox } from "../kit/ui/Choice";
import { Field, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { AccountName, EmailField, PasswordField } from "./AccountFields";
import { useChangePassword, useChangeProfile } from "./api";
import { NewPasswordField } from "./NewPasswordField";

const FAILED = "Failed to save";

interface DialogProps {
  onClose: () => void;
}

export function NameDialog({ onClose }: DialogProps) {
  const { displayName } = useUser();
  const draft = useDraft("account.name", { displayName });
  const change = useChangeProfile();
  const save = async () => {
    await change.mutateAsync(draft.values);
    toast({ title: "Name updated" });
  };
  return (
    <FormDialog
      title="Your name"
      text="Shown in the menu, and to your team."
      label="Save"
      action={save}
      failed={FAILED}
      draft={draft}
      onClose={onClose}
    >
      <Field label="Display name" name="displayName">
        <Input
          required
          autoComplete="name"
          maxLength={ACCOUNT_UPDATE.displayName.maxLength}
          value={draft.values.displayName}
          onChange={(event) => draft.change({ displayName: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}

export function EmailDialog({ onClose }: DialogProps) {
  const draft = useDraft("account.email", { email: "" });
  const { email } = draft.values;
  const [currentPassword, setCurrentPassword] = useState("");
  const change = useChangeProfile();
  const save = async () => {
    await change.mutateAsync({ email, currentPassword });
    toast({ title: "Email updated" });
  };
  return (
    <FormDialog
      title="Change your email"
      text="You log in with it from then on."
      label="Change email"
      action={save}
      failed={FAILED}
      draft={draft}
      onClose={onClose}
    >
      <EmailField
        label="New email"
        value={email}
        maxLength={ACCOUNT_UPDATE.email.maxLength}
        onType={(typed) => draft.change({ email: typed })}
      />
      <PasswordField label="Current password" name="currentPassword" onType={setCurrentPassword} />
    </FormDialog>
  );
}

const FIRST = "With a password you can log in without a provider, and change your email. Every other session ends.";

/** `isFirst`: the account has no password yet, because it was made through a sign-in provider. */
export function PasswordDialog({ isFirst, onClose }: DialogProps & { isFirst: boolean }) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [endOtherAccess, setEndOtherAccess] = useState(true);
  const { email } = useUser();
  const change = useChangePassword();
  const save = async () => {
    await change.mutateAsync(isFirst ? { newPassword } : { currentPassword, newPassword, endOtherAccess });
    toast({ title: isFirst ? "Password set" : "Password updated" });
  };
  return (
    <FormDialog
      title={isFirst ? "Set a password" : "Change your password"}
      text={isFirst ? FIRST : "Every other session ends. This one stays."}
      label={isFirst ? "Set Password" : "Change Password"}
      action={save}
      failed={FAILED}
      onClose={onClose}
    >
      <AccountName email={email} />
      {!isFirst && <PasswordField label="Current password" name="currentPassword" onType={setCurrentPassword} />}
      <NewPasswordField label="New password" name="newPassword" onType={setNewPassword} />
      {!isFirst && (
        <Checkbox checked={endOtherAccess} onChange={(event) => setEndOtherAccess(event.target.checked)}>
          Also remove API tokens, secret links, device logins and connected providers
        </Checkbox>
      )}
    </FormDialog>
  );
}
