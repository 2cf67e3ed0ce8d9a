import type { ComponentProps, ReactNode } from "react";
import css from "./Choice.module.css";

type ChoiceProps = Omit<ComponentProps<"input">, "type"> & {
  /** The label, at the right of the box. */
  children: ReactNode;
  /** A count at the far right, in small figures. */
  count?: ReactNode;
};

export function Checkbox(props: ChoiceProps) {
  return <Choice type="checkbox" {...props} />;
}

export function Radio(props: ChoiceProps) {
  return <Choice type="radio" {...props} />;
}

function Choice({ children, count, className, ...rest }: ChoiceProps & { type: "checkbox" | "radio" }) {
  return (
    <label className={className ? `${css.check} ${className}` : css.check}>
      <input {...rest} />
      <span>{children}</span>
      {count !== undefined && <span className={css.count}>{count}</span>}
    </label>
  );
}

interface ChoiceRowsProps<Value extends string> {
  name: string;
  value: Value;
  onChoose: (value: Value) => void;
  disabled?: boolean;
  rows: readonly {
    value: Value;
    label: ReactNode;
    /** Fields that show only while the row is chosen. */
    body?: ReactNode;
  }[];
}

/** Radio rows in one frame. The chosen row shows its own fields. */
export function ChoiceRows<Value extends string>({ name, value, onChoose, disabled, rows }: ChoiceRowsProps<Value>) {
  return (
    <div className={css.rows}>
      {rows.map((row) => (
        <div className={css.row} key={row.value}>
          <Radio
            name={name}
            value={row.value}
            checked={row.value === value}
            disabled={disabled}
            onChange={() => onChoose(row.value)}
          >
            {row.label}
          </Radio>
          {row.value === value && row.body && <div className={css.body}>{row.body}</div>}
        </div>
      ))}
    </div>
  );
}
