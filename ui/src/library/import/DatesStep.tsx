import { useId } from "react";
import type { ImportPreview } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Select } from "../../kit/ui/Field";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Step } from "../../kit/ui/Step";
import { type DateOrder, dateOrders } from "./dates";
import css from "./Import.module.css";

interface DatesStepProps {
  /** The dates that can be read in two orders. */
  dates: NonNullable<ImportPreview["ambiguousDates"]>;
  /** The order in which they are read. */
  order: DateOrder;
  onChoose: (order: DateOrder) => void;
}

/** The order of days and months in dates such as 03/04/2020. */
export function DatesStep({ dates: { count, sample }, order, onChoose }: DatesStepProps) {
  const id = useId();
  return (
    <Step title="Dates" side={`${counted(count, "date")} with two readings`}>
      <Leaders>
        <Leader
          className={`${css.shelf} ${css.order}`}
          name={
            <label className="serif num" htmlFor={id}>
              {sample}
            </label>
          }
        >
          <span>{count > 1 && `and ${counted(count - 1, "other")}`}</span>
          <Select id={id} options={dateOrders(sample, order)} value={order} onChoose={onChoose} />
        </Leader>
      </Leaders>
      <p className="hint">We read all dates of this file in the same order. Please check this one.</p>
    </Step>
  );
}
