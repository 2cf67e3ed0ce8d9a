import { useId } from "react";
import css from "./RatingScale.module.css";

const STEPS = Array.from({ length: 11 }, (_, step) => step);

interface RatingScaleProps {
  /** The name of the radios, unique on the page. */
  name: string;
  /** 0 to 10, null while unrated. */
  value: number | null;
  onChoose: (rating: number) => void;
  /** Whether a twelfth cell adds half a point. */
  hasHalf?: boolean;
  required?: boolean;
  disabled?: boolean;
}

/**
 * Eleven radios, 0 to 10, drawn as a ruler with ticks; with half points a twelfth cell, which adds one. The surrounding
 * field group has the legend.
 */
export function RatingScale({ name, value, onChoose, hasHalf, required, disabled }: RatingScaleProps) {
  const id = useId();
  const whole = value === null ? null : Math.floor(value);
  const isHalf = whole !== null && value === whole + 0.5;
  return (
    <div className={css.scale}>
      {STEPS.map((step) => (
        <div className={css.step} key={step} data-next={(isHalf && step === whole + 1) || undefined}>
          <input
            type="radio"
            name={name}
            id={id + step}
            value={step}
            checked={whole === step}
            required={required}
            disabled={disabled}
            onChange={() => onChoose(step)}
          />
          <label htmlFor={id + step}>{step}</label>
        </div>
      ))}
      {hasHalf && (
        <div className={css.step}>
          <input
            type="checkbox"
            id={`${id}half`}
            checked={isHalf}
            disabled={disabled || whole === null || whole === 10}
            aria-label="and a half"
            onChange={(event) => whole !== null && onChoose(event.target.checked ? whole + 0.5 : whole)}
          />
          <label htmlFor={`${id}half`}>+½</label>
        </div>
      )}
    </div>
  );
}
