import type { ComponentProps } from "react";
import css from "./Slider.module.css";

type SliderProps = Omit<ComponentProps<"input">, "type" | "value" | "onChange"> & {
  value: number;
  onSlide: (value: number) => void;
};

/** A slider with a ruler of 20 divisions below it. Name it by a label for its id. */
export function Slider({ value, onSlide, className, ...rest }: SliderProps) {
  return (
    <div className={className ? `${css.slider} ${className}` : css.slider}>
      <input
        {...rest}
        type="range"
        value={value}
        aria-valuetext={`${value}%`}
        onChange={(event) => onSlide(event.target.valueAsNumber)}
      />
      <div className={css.ruler} aria-hidden="true" />
    </div>
  );
}
