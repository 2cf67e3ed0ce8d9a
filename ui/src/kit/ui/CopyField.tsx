import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "./Button";
import css from "./CopyField.module.css";
import { Field, Input } from "./Field";

/** Milliseconds for which the button says what it has done. */
const SAYS_SO = 2_000;

interface CopyFieldProps {
  /** What the value is. The button's name says it, too. */
  label: string;
  value: string;
  hint?: ReactNode;
}

/**
 * A read-only value to copy, with a Copy button. Where the browser offers a page neither its clipboard nor its copy command, the
 * button marks the value, so that one key press copies it.
 */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState<"Copied" | "Marked" | null>(null);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(null), SAYS_SO);
    return () => clearTimeout(timer);
  }, [done]);

  const press = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    input.current?.select();
    if (await writeClipboard(value)) return setDone("Copied");
    input.current?.focus();
    input.current?.select();
    if (!copySelection()) return setDone("Marked");
    currentTarget.focus();
    setDone("Copied");
  };

  return (
    <Field label={label} hint={hint}>
      <div className={css.copy}>
        <Input ref={input} className={css.value} value={value} readOnly />
        <Button icon="copy" aria-label={`Copy ${label.toLowerCase()}`} onClick={press}>
          {done ?? "Copy"}
        </Button>
        <span className="vh" role="status">
          {done}
        </span>
      </div>
    </Field>
  );
}

/** Writes to the clipboard, which exists in secure contexts only. Returns whether it did. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies what is selected, by the command of older pages. Returns whether it did. */
function copySelection(): boolean {
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
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
