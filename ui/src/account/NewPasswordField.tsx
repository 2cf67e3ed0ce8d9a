import { SIGN_UP_REQUEST } from "../kit/api/limits";
import { Field, Input } from "../kit/ui/Field";
import type { AccountFieldProps } from "./AccountFields";

const { minLength, maxLength } = SIGN_UP_REQUEST.password;

/** A field for a password that is being set. The log-in page does without it, and so without the limits. */
export function NewPasswordField({ label = "Password", name = "password", error, onType }: AccountFieldProps) {
  return (
    <Field label={label} name={name} error={error}>
      <Input
        type="password"
        required
        name="password"
        autoComplete="new-password"
        placeholder={`At least ${minLength} characters`}
        minLength={minLength}
        maxLength={maxLength}
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}
