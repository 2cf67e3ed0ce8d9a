import { type ComponentProps, createContext, type ReactNode, use, useEffect, useId } from "react";
import css from "./Field.module.css";
import { Icon } from "./Icon";

interface FieldProps {
  label: ReactNode;
  /** What it is called in the API, for the errors of a form around it; several names are separated by blanks. */
  name?: string;
  required?: boolean;
  /** Below the control, in small print. */
  hint?: ReactNode;
  /** A sentence that says what is wrong with the value. */
  error?: string | null | false;
  /** At the right of the label. */
  side?: ReactNode;
  /** Whether only screen readers get the label. */
  labelHidden?: boolean;
  className?: string;
  children: ReactNode;
}

interface Wiring {
  id: string;
  required: boolean | undefined;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

const FieldContext = createContext<Wiring | null>(null);

/**
 * The attributes for a control inside a {@link Field}: its id, and the ids of its descriptions. Input, Textarea and
 * Select use them already; a custom control spreads them. Empty outside a field.
 */
export function useField(): Partial<Wiring> {
  return use(FieldContext) ?? {};
}

function described(id: string, { hint, error }: Pick<FieldProps, "hint" | "error">): string | undefined {
  return [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
}

interface FormErrors {
  /** A sentence for each refused field. */
  errors: Readonly<Record<string, string>>;
  /** The names of the fields that are in the page. */
  shown: Set<string>;
}

/** The errors of a form's fields, for each {@link Field} with a name in it. */
export const FieldErrors = createContext<FormErrors>({ errors: {}, shown: new Set() });

function useError({ name = "", error }: Pick<FieldProps, "name" | "error">) {
  const { errors, shown } = use(FieldErrors);
  useEffect(() => {
    const names = name.split(" ");
    for (const one of names) shown.add(one);
    return () => {
      for (const one of names) shown.delete(one);
    };
  }, [name, shown]);
  return error || name.split(" ").flatMap((one) => errors[one] ?? [])[0];
}

/** A label, one control, its hint and its error. */
export function Field({ label, required, hint, side, labelHidden, className, children, ...rest }: FieldProps) {
  const id = useId();
  const error = useError(rest);
  const wiring: Wiring = {
    id,
    required,
    "aria-describedby": described(id, { hint, error }),
    "aria-invalid": error ? true : undefined,
  };
  return (
    <div className={className ? `${css.field} ${className}` : css.field}>
      <div className={labelHidden ? "vh" : css.row}>
        <label className="label" htmlFor={id}>
          {label}
          {required && <Required />}
        </label>
        {side && <span className={`hint ${css.side}`}>{side}</span>}
      </div>
      <FieldContext value={wiring}>{children}</FieldContext>
      <Said id={id} hint={hint} error={error} />
    </div>
  );
}

/** A legend and several controls that make up one value: radios, a rating. */
export function FieldGroup({ label, required, hint, className, children, ...rest }: FieldProps) {
  const id = useId();
  const error = useError(rest);
  return (
    <fieldset
      className={className ? `${css.field} ${className}` : css.field}
      data-invalid={error ? true : undefined}
      aria-describedby={described(id, { hint, error })}
    >
      <legend className="label">
        {label}
        {required && <Required />}
      </legend>
      {children}
      <Said id={id} hint={hint} error={error} />
    </fieldset>
  );
}

function Required() {
  return (
    <span className={css.required} aria-hidden="true">
      {" "}
      *
    </span>
  );
}

function Said({ id, hint, error }: { id: string } & Pick<FieldProps, "hint" | "error">) {
  return (
    <>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </>
  );
}

/** What is wrong with a field. */
export function FieldError({ children, ...rest }: ComponentProps<"p">) {
  return (
    <p {...rest} className={css.error}>
      <Icon name="alert" small />
      {children}
    </p>
  );
}

type InputProps = ComponentProps<"input"> & {
  /** Set in the serif, for the title of a book. */
  titled?: boolean;
  /** A unit at the right end: "words". */
  suffix?: string;
};

export function Input({ titled, suffix, className, ...rest }: InputProps) {
  const input = (
    <input
      {...useField()}
      // Text takes the direction of its script. Addresses, days and the like have none.
      dir={rest.type === undefined ? "auto" : undefined}
      {...rest}
      className={className ? `${css.input} ${className}` : css.input}
      data-titled={titled || undefined}
    />
  );
  if (!suffix) return input;
  return (
    <div className={css.suffixed}>
      {input}
      <span className={css.suffix}>{suffix}</span>
    </div>
  );
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea {...useField()} dir="auto" {...rest} className={className ? `${css.input} ${className}` : css.input} />
  );
}

type SelectProps<Value extends string> = Omit<ComponentProps<"select">, "children" | "value" | "defaultValue"> & {
  /** No option may have an empty value. */
  options: readonly { value: Value; label: string }[];
  value?: Value;
  defaultValue?: Value;
  onChoose?: (value: Value) => void;
};

/** A choice from a few values, as the browser's native select. */
export function Select<Value extends string>({ options, onChoose, onChange, className, ...rest }: SelectProps<Value>) {
  if (options.some((option) => option.value === "")) throw new Error("A selection may not have an empty value");
  return (
    <select
      {...useField()}
      {...rest}
      className={[css.input, css.select, className].filter(Boolean).join(" ")}
      onChange={(event) => {
        onChange?.(event);
        onChoose?.(event.target.value as Value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
