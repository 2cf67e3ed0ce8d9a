import type { ComponentProps } from "react";
import css from "./Switch.module.css";

type SwitchProps = Omit<ComponentProps<"input">, "type" | "role" | "onChange" | "checked"> & {
  checked: boolean;
  onSwitch: (on: boolean) => void;
};

/** On or off, with immediate effect. Name it by `aria-label`, `aria-labelledby`, or a label for its id. */
export function Switch({ checked, onSwitch, ...rest }: SwitchProps) {
  return (
    <span className={css.switch}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <span aria-hidden="true" />
    </span>
  );
}
