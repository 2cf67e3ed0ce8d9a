import { type Ref, useRef, useState } from "react";
import { FIRST_DAY, isDay, LAST_DAY, shownDate } from "../../kit/roughDate";
import { Button } from "../../kit/ui/Button";
import { Field, Input } from "../../kit/ui/Field";
import { Icon } from "../../kit/ui/Icon";
import { Popover } from "../../kit/ui/Popover";
import { usePlace } from "../place";
import { Calendar } from "./Calendar";
import css from "./DateField.module.css";
import { anyDay, dateRefusal, heldDate, readDate } from "./typedDate";

interface DateFieldProps {
  label: string;
  /** What it is called in the API, for the errors of a form around it. */
  name?: string;
  required?: boolean;
  error?: string | null | false | undefined;
  /** yyyy-MM-dd, for a rough date its two days with a slash between, or a text that is no date yet. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Whether a month, a year, a season or "before 2015" will do. */
  rough?: boolean;
  /** The days that the calendar offers, as far as they are days. Others may be typed. */
  min?: string;
  max?: string;
  className?: string;
  ref?: Ref<HTMLInputElement>;
}

/**
 * A date, typed in any form or chosen in a calendar. It is written "Nov 18, 2025" as soon as the field is left. A text with two readings
 * asks which one is meant.
 */
export function DateField(props: DateFieldProps) {
  const { label, value, onChange, onBlur, rough = false, min = FIRST_DAY, max = LAST_DAY, ref, ...field } = props;
  const place = usePlace();
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const read = readDate(value, place);
  const choices = (read.refused !== undefined && read.choices?.filter(({ from }) => rough || from === null)) || [];
  const question = choices.length > 0 ? read.refused : null;
  const refusal = isLeft && !question && dateRefusal(value, place, rough);
  const error = field.error || refusal;
  const note = read.refused === undefined && rough ? anyDay(read) : "";

  const type = (text: string) => {
    const meant = readDate(text, place);
    const isRead = meant.refused === undefined && (rough || meant.from === null);
    setTyped(text);
    onChange(isRead ? heldDate(meant) : text);
  };
  const choose = (chosen: string) => {
    setTyped(null);
    setOpen(false);
    onChange(chosen);
  };
  const first = isDay(min) ? min : FIRST_DAY;
  const day = read.refused === undefined ? read.to : place.today;
  return (
    <Field
      label={label}
      {...field}
      error={error}
      hint={
        <>
          <span className={css.said} role="status">
            {error ? "" : (question ?? note)}
          </span>
          {choices.length > 0 && (
            <span className={css.choices}>
              {choices.map((one) => (
                <Button
                  key={one.to}
                  size="compact"
                  onClick={() => {
                    choose(heldDate(one));
                    // The button goes with its question.
                    box.current?.querySelector("input")?.focus();
                  }}
                >
                  {shownDate(heldDate(one))}
                </Button>
              ))}
            </span>
          )}
        </>
      }
    >
      <div className={css.box} ref={box}>
        <Input
          ref={ref}
          autoComplete="off"
          placeholder={rough ? "A day, a month or a year" : undefined}
          data-asked={question ? true : undefined}
          value={typed ?? shownDate(value)}
          onFocus={() => setLeft(false)}
          onChange={(event) => type(event.target.value)}
          onBlur={() => {
            setTyped(null);
            setLeft(true);
            onBlur?.();
          }}
        />
        <Popover
          label="Choose a day"
          align="end"
          className={css.calendar}
          open={isOpen}
          onOpenChange={setOpen}
          trigger={
            <button type="button" className={css.open} aria-label="Choose a day">
              <Icon name="calendar" />
            </button>
          }
        >
          <Calendar
            day={day < first ? first : day > max ? max : day}
            today={place.today}
            min={first}
            max={max}
            rough={rough}
            onChoose={choose}
          />
        </Popover>
      </div>
    </Field>
  );
}
