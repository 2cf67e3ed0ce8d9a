import { type ReactNode, useId } from "react";
import css from "./SegmentedControl.module.css";

interface SegmentedControlProps<Value extends string> {
  /** What the control chooses: "Billing interval". */
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChoose: (value: Value) => void;
  /** In a form: radios with this name, as high as the fields, instead of pressed buttons. */
  name?: string;
  /** As wide as its container. */
  fill?: boolean;
  disabled?: boolean;
}

/** Two to four options side by side; the chosen one has an ink fill. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, options, value, onChoose, name, fill, disabled } = props;
  const id = useId();
  return (
    <fieldset
      className={css.segments}
      aria-label={label}
      disabled={disabled}
      data-fill={fill || undefined}
      data-field={name ? true : undefined}
    >
      {options.map((option) =>
        name ? (
          <div className={css.item} key={option.value}>
            <input
              type="radio"
              name={name}
              id={id + option.value}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <label htmlFor={id + option.value}>{option.label}</label>
          </div>
        ) : (
          <button
            key={option.value}
            type="button"
            aria-pressed={option.value === value}
            onClick={() => onChoose(option.value)}
          >
            {option.label}
          </button>
        ),
      )}
    </fieldset>
  );
}
