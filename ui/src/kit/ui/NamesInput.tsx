import { type ComponentProps, type KeyboardEvent, useRef } from "react";
import { Chip } from "./Badge";
import { useField } from "./Field";
import { Icon } from "./Icon";
import css from "./NamesInput.module.css";

interface NamesInputProps extends ComponentProps<"input"> {
  /** The names that were added. */
  names: readonly string[];
  onNames: (names: string[]) => void;
  /** Adds what is typed. The owner of the text empties it. */
  onAdd: (typed: string) => void;
  /** Whether the order of the names means something, and can be changed. */
  ordered?: boolean;
  /** Whether a comma adds what is typed, as Enter does. */
  byComma?: boolean;
}

/** Several names in one field: those that were added, each with a button that removes it, and a text for the next one. */
export function NamesInput({ names, onNames, onAdd, ordered, byComma, ...input }: NamesInputProps) {
  const wiring = useField();
  const box = useRef<HTMLDivElement>(null);
  const toText = () => box.current?.querySelector("input")?.focus();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const typed = event.currentTarget.value.trim();
    const adds = event.key === "Enter" || (byComma && event.key === ",");
    // The Enter that chooses a character of an input method belongs to that method. Without a text Enter sends the form.
    if (!adds || event.nativeEvent.isComposing || (typed === "" && event.key === "Enter")) return;
    event.preventDefault();
    if (typed !== "") onAdd(typed);
  };
  const put = (changed: string[]) => {
    onNames(changed);
    toText();
  };
  const earlier = (at: number) =>
    put([...names.slice(0, at - 1), ...names.slice(at, at + 1), ...names.slice(at - 1, at), ...names.slice(at + 1)]);
  return (
    <div
      ref={box}
      className={css.box}
      data-invalid={wiring["aria-invalid"]}
      onPointerDown={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        toText();
      }}
    >
      {names.length > 0 && (
        <ul className={css.names}>
          {names.map((name, at) => (
            <li key={name}>
              <Chip removeLabel={`Remove ${name}`} onRemove={() => put(names.filter((_, index) => index !== at))}>
                <span dir="auto">{name}</span>
                {ordered && at > 0 && (
                  <button
                    type="button"
                    className={css.earlier}
                    aria-label={`Move ${name} forward`}
                    onClick={() => earlier(at)}
                  >
                    <Icon name="chevron" small />
                  </button>
                )}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      <input dir="auto" autoComplete="off" {...wiring} {...input} onKeyDown={onKeyDown} />
    </div>
  );
}
