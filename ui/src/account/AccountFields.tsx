import type { ReactNode } from "react";
import { Field, Input } from "../kit/ui/Field";

export interface AccountFieldProps {
  label?: string;
  /** What it is called in the API. */
  name?: string;
  /** Why the server refused the value. */
  error?: string;
  hint?: ReactNode;
  onType: (value: string) => void;
}

interface EmailFieldProps extends AccountFieldProps {
  value?: string;
  /** The limit of an address that is stored. */
  maxLength?: number;
}

/** A field for an e-mail address. With `value` it shows that text. */
export function EmailField({
  label = "Email",
  name = "email",
  error,
  hint,
  value,
  maxLength,
  onType,
}: EmailFieldProps) {
  return (
    <Field label={label} name={name} error={error} hint={hint}>
      <Input
        type="email"
        required
        name="email"
        autoComplete="email"
        maxLength={maxLength}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}

/** The account whose password a form changes, for password managers. People do not see it. */
export function AccountName({ email }: { email: string }) {
  return <input hidden readOnly name="username" autoComplete="username" value={email} />;
}

/** A field for a password that is set already. */
export function PasswordField({ label = "Password", name = "password", error, onType }: AccountFieldProps) {
  return (
    <Field label={label} name={name} error={error}>
      <Input
        type="password"
        required
        name="password"
        autoComplete="current-password"
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}
