import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./Button";
import css from "./CopyField.module.css";
import { Field, Input } from "./Field";

/** Milliseconds for which the button says "Copied". */
const SAYS_SO = 2_000;

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: ReactNode;
}

/** A read-only value to copy, with a Copy button. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAYS_SO);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    // The clipboard requires HTTPS. Without it the value is selected, so that one key press copies it.
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

/** A command for an operator to type at a terminal. It scrolls horizontally and is therefore focusable. */
export function Command({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div className={css.command} role="group" aria-label="Command" tabIndex={0}>
      <code>{children}</code>
    </div>
  );
}
