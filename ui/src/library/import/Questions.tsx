import { type ReactNode, useEffect, useId, useRef } from "react";
import type { ImportPreview } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Radio } from "../../kit/ui/Choice";
import { type DateOrder, dateOrders } from "./dates";
import css from "./Import.module.css";
import type { StatusAnswer } from "./model";

interface QuestionProps<Value extends string> {
  title: string;
  hint: ReactNode;
  choices: readonly { value: Value; label: string }[];
  chosen: Value | null;
  onChoose: (value: Value) => void;
  /** It must be answered before the import. */
  isMissing?: boolean;
}

/** A question about a file that only its reader can answer. */
function Question<Value extends string>({ title, hint, choices, chosen, onChoose, isMissing }: QuestionProps<Value>) {
  const name = useId();
  const frame = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (isMissing) frame.current?.querySelector("input")?.focus();
  }, [isMissing]);
  return (
    <fieldset className={css.question} ref={frame} data-bad={isMissing || undefined} aria-describedby={`${name}-hint`}>
      <legend>{title}</legend>
      <p className="hint" id={`${name}-hint`}>
        {isMissing ? "Choose one first." : hint}
      </p>
      <div className={css.choices}>
        {choices.map(({ value, label }) => (
          <Radio key={value} name={name} checked={value === chosen} onChange={() => onChoose(value)}>
            {label}
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}

const STATUSES: readonly { value: StatusAnswer; label: string }[] = [
  { value: "completed", label: "Read, finished when returned" },
  { value: "undated", label: "Read, without a date" },
  { value: "tbr", label: "To be read" },
  { value: "in-progress", label: "Reading now" },
];

interface StatusQuestionProps {
  chosen: StatusAnswer | null;
  /** The file has days on which its books were returned. */
  hasDays: boolean;
  onChoose: (status: StatusAnswer) => void;
  isMissing: boolean;
}

/** What the books are of a file that says neither a status nor a day. */
export function StatusQuestion({ hasDays, ...props }: StatusQuestionProps) {
  const choices = STATUSES.filter(({ value }) => hasDays || value !== "completed");
  return <Question title="Are these read, or to be read?" hint="The file doesn’t say." choices={choices} {...props} />;
}

interface DatesQuestionProps {
  /** The dates that can be read in two orders. */
  dates: NonNullable<ImportPreview["ambiguousDates"]>;
  /** The order in which they are read. */
  order: DateOrder;
  onChoose: (order: DateOrder) => void;
}

/** The order of days and months in dates such as 03/04/2020. */
export function DatesQuestion({ dates: { count, sample }, order, onChoose }: DatesQuestionProps) {
  return (
    <Question
      title={`${sample}: which day?`}
      hint={
        count > 1
          ? `${counted(count, "date")} of this file can be read in two ways, all alike.`
          : "It can be read in two ways."
      }
      choices={dateOrders(sample, order)}
      chosen={order}
      onChoose={onChoose}
    />
  );
}
