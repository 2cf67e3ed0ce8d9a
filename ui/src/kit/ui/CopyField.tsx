import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./Button";
import css from "./CopyField.module.css";
import { Field, Input } from "./Field";

/** How long the button says that it has copied, in milliseconds. */
const SAYS_SO = 2_000;

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: ReactNode;
}

/** A value that leaves the program: read-only, with Copy beside it. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAYS_SO);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    // The clipboard needs https; selected, the value is one key press away everywhere else.
    input.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      input.current?.focus();
    }
  };

  return (
    <Field label={label} hint={hint}>
      <div className={css.copy}>
        <Input ref={input} className={css.value} value={value} readOnly />
        <Button icon="copy" onClick={copy}>
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </Button>
      </div>
    </Field>
  );
}

/** What an operator types at a terminal. It scrolls sideways, and so takes the focus. */
export function Command({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div className={css.command} role="group" aria-label="Command" tabIndex={0}>
      <code>{children}</code>
    </div>
  );
}
