import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { type DraftedForm, useDraft } from "../access/drafts";
import { useUser } from "../access/viewer";
import { ApiError, errorMessage, fieldsOf } from "../kit/api/client";
import { ACCOUNT_UPDATE } from "../kit/api/limits";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Checkbox } from "../kit/ui/Choice";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, Input } from "../kit/ui/Field";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { AccountName, EmailField, PasswordField } from "./AccountFields";
import { useChangePassword, useChangeProfile } from "./api";
import { NewPasswordField } from "./NewPasswordField";

interface ChangeDialogProps {
  title: string;
  text: string;
  /** The button's label. */
  label: string;
  /** The button's label while the server is asked. */
  busyLabel?: string;
  busy: boolean;
  error: unknown;
  /** The fields that show their own errors. */
  fields: readonly string[];
  /** What was typed, kept until the form is saved or cancelled. Passwords are never kept. */
  draft?: Pick<DraftedForm<object>, "isRestored" | "startOver">;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form that changes one thing. It stays open until the server has accepted the change. */
export function ChangeDialog({
  title,
  text,
  label,
  busyLabel = "Saving...",
  busy,
  error,
  fields,
  draft,
  onSubmit,
  onClose,
  children,
}: ChangeDialogProps) {
  const id = useId();
  const form = useFocusBack(Boolean(error) && !busy);
  const refused = refusedFields(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      text={text}
      foot={
        <>
          <DialogClose>
            <Button onClick={draft?.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={busy && busyLabel}>
            {label}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} onSubmit={submit}>
        <fieldset className="form" disabled={busy}>
          {Boolean(error) && !fields.some((field) => refused[field]) && (
            <Alert>{errorMessage(error, "Failed to save")}</Alert>
          )}
          {draft?.isRestored && <RestoredNote onStartOver={draft.startOver} />}
          {children}
        </fieldset>
      </form>
    </Dialog>
  );
}

/** The refused fields. A wrong password is refused as a whole, and is shown at its field. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof ApiError && error.code === "wrong_password") return { currentPassword: error.bodyText("error") };
  return fieldsOf(error);
}

interface DialogProps {
  onClose: () => void;
}

export function NameDialog({ onClose }: DialogProps) {
  const { displayName } = useUser();
  const draft = useDraft("account.name", { displayName });
  const { mutate, error, isPending } = useChangeProfile();
  const submit = () =>
    mutate(draft.values, {
      onSuccess: () => {
        draft.forget();
        said("Name updated", onClose);
      },
    });
  return (
    <ChangeDialog
      title="Your name"
      text="Shown in the menu, and to your team."
      label="Save"
      busy={isPending}
      error={error}
      fields={["displayName"]}
      draft={draft}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Display name" error={refusedFields(error).displayName}>
        <Input
          required
          autoComplete="name"
          maxLength={ACCOUNT_UPDATE.displayName.maxLength}
          value={draft.values.displayName}
          onChange={(event) => draft.change({ displayName: event.target.value })}
        />
      </Field>
    </ChangeDialog>
  );
}

export function EmailDialog({ onClose }: DialogProps) {
  const draft = useDraft("account.email", { email: "" });
  const { email } = draft.values;
  const [currentPassword, setCurrentPassword] = useState("");
  const { mutate, error, isPending } = useChangeProfile();
  const submit = () =>
    mutate(
      { email, currentPassword },
      {
        onSuccess: () => {
          draft.forget();
          said("Email updated", onClose);
        },
      },
    );
  const refused = refusedFields(error);
  return (
    <ChangeDialog
      title="Change your email"
      text="You log in with it from then on."
      label="Change email"
      busy={isPending}
      error={error}
      fields={["email", "currentPassword"]}
      draft={draft}
      onSubmit={submit}
      onClose={onClose}
    >
      <EmailField
        label="New email"
        error={refused.email}
        value={email}
        maxLength={ACCOUNT_UPDATE.email.maxLength}
        onType={(typed) => draft.change({ email: typed })}
      />
      <PasswordField label="Current password" error={refused.currentPassword} onType={setCurrentPassword} />
    </ChangeDialog>
  );
}

const FIRST = "With a password you can log in without a provider, and change your email. Every other session ends.";

/** `isFirst`: the account has no password yet, because it was made through a sign-in provider. */
export function PasswordDialog({ isFirst, onClose }: DialogProps & { isFirst: boolean }) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [endOtherAccess, setEndOtherAccess] = useState(true);
  const { email } = useUser();
  const { mutate, error, isPending } = useChangePassword();
  const submit = () =>
    mutate(isFirst ? { newPassword } : { currentPassword, newPassword, endOtherAccess }, {
      onSuccess: () => said(isFirst ? "Password set" : "Password updated", onClose),
    });
  const refused = refusedFields(error);
  return (
    <ChangeDialog
      title={isFirst ? "Set a password" : "Change your password"}
      text={isFirst ? FIRST : "Every other session ends. This one stays."}
      label={isFirst ? "Set Password" : "Change Password"}
      busy={isPending}
      error={error}
      fields={["currentPassword", "newPassword"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountName email={email} />
      {!isFirst && (
        <PasswordField label="Current password" error={refused.currentPassword} onType={setCurrentPassword} />
      )}
      <NewPasswordField label="New password" error={refused.newPassword} onType={setNewPassword} />
      {!isFirst && (
        <Checkbox checked={endOtherAccess} onChange={(event) => setEndOtherAccess(event.target.checked)}>
          Also remove API tokens, secret links and connected providers
        </Checkbox>
      )}
    </ChangeDialog>
  );
}

function said(title: string, onClose: () => void): void {
  toast({ title });
  onClose();
}
