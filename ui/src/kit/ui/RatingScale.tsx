import { useId } from "react";
import css from "./RatingScale.module.css";

const STEPS = Array.from({ length: 11 }, (_, step) => step);

interface RatingScaleProps {
  /** The name of the radios, unique on the page. */
  name: string;
  /** 0 to 10, null while unrated. */
  value: number | null;
  onChoose: (rating: number) => void;
  required?: boolean;
  disabled?: boolean;
}

/** Eleven radios, 0 to 10, drawn as a ruler with ticks. The surrounding field group has the legend. */
export function RatingScale({ name, value, onChoose, required, disabled }: RatingScaleProps) {
  const id = useId();
  return (
    <div className={css.scale}>
      {STEPS.map((step) => (
        <div className={css.step} key={step}>
          <input
            type="radio"
            name={name}
            id={id + step}
            value={step}
            checked={value === step}
            required={required}
            disabled={disabled}
            onChange={() => onChoose(step)}
          />
          <label htmlFor={id + step}>{step}</label>
        </div>
      ))}
    </div>
  );
}
