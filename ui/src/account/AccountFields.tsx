import type { ReactNode } from "react";
import { SIGN_UP_REQUEST } from "../kit/api/limits";
import { Field, Input } from "../kit/ui/Field";

interface AccountFieldProps {
  label?: string;
  /** Why the server refused the value. */
  error?: string;
  hint?: ReactNode;
  onType: (value: string) => void;
}

/** A field for an e-mail address. With `value` it shows that text. */
export function EmailField({ label = "Email", error, hint, value, onType }: AccountFieldProps & { value?: string }) {
  return (
    <Field label={label} error={error} hint={hint}>
      <Input
        type="email"
        required
        name="email"
        autoComplete="email"
        maxLength={SIGN_UP_REQUEST.email.maxLength}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}

/** A field for a password; `isNew` for one that is being set. */
export function PasswordField({ label = "Password", error, isNew, onType }: AccountFieldProps & { isNew?: boolean }) {
  const { minLength, maxLength } = SIGN_UP_REQUEST.password;
  const rules = isNew ? { placeholder: `At least ${minLength} characters`, minLength, maxLength } : {};
  return (
    <Field label={label} error={error}>
      <Input
        type="password"
        required
        name="password"
        autoComplete={isNew ? "new-password" : "current-password"}
        onChange={(event) => onType(event.target.value)}
        {...rules}
      />
    </Field>
  );
}
