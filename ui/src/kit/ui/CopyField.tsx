import { type ReactNode, useEffect, useId, useRef, useState } from "react";
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

/**
 * A command of the program, for an operator to type at a terminal. Without its data directory a command could use another
 * database, so it is part of the line. The line scrolls horizontally and is therefore focusable.
 */
export function Command({ children }: { children: string }) {
  const id = useId();
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div className={css.command} role="group" aria-label="Command" aria-describedby={id} tabIndex={0}>
        <code>{`shelfwise ${children} --data-dir /var/lib/shelfwise`}</code>
      </div>
      <p className="hint" id={id}>
        Run it as the server’s user, and name the server’s own data directory.
      </p>
    </>
  );
}
