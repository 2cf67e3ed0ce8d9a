import { useState } from "react";
import { InvalidFields } from "../kit/api/client";
import type { Goal, GoalMetric } from "../kit/api/types";
import { Checkbox } from "../kit/ui/Choice";
import { Field, Input, Select } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { METRIC_WORDS, optionsOf, valuesOf } from "../kit/words";
import { readNumber } from "../library/books/numbers";
import { useDeleteGoal, useSetGoal } from "./api";
import { goalName, goalPeriodName } from "./model";
import css from "./Reading.module.css";

/** Hours are typed, and minutes are stored. */
const unitOf = (metric: GoalMetric) => (metric === "minutes" ? 60 : 1);

const SUFFIXES: Record<GoalMetric, string> = { books: "books", words: "words", pages: "pages", minutes: "hours" };

interface GoalDialogProps {
  /** The goals that there are. */
  goals: readonly Goal[];
  /** The goal that is changed; without it a new one is set. */
  goal: Goal | undefined;
  today: string;
  onClose: () => void;
}

/** Sets, changes or removes a goal of the running year or month. */
export function GoalDialog({ goals, goal, today, onClose }: GoalDialogProps) {
  const [year, month] = [today.slice(0, 4), today.slice(0, 7)];
  const [period, setPeriod] = useState(goal?.period ?? year);
  const [metric, setMetric] = useState<GoalMetric>(goal?.metric ?? "books");
  const [target, setTarget] = useState(goal ? String(goal.target / unitOf(goal.metric)) : "");
  const [rereads, setRereads] = useState(goal?.rereads ?? true);
  const set = useSetGoal();
  const remove = useDeleteGoal();
  const known = goal ?? goals.find((other) => other.period === period && other.metric === metric);
  const save = async () => {
    const number = readNumber(target);
    if (number === null || target.trim() === "" || number < 1)
      throw new InvalidFields({ target: "A goal is a whole number from 1." });
    await set.mutateAsync({ period, metric, target: number * unitOf(metric), rereads });
    toast({ title: known ? "Goal changed" : "Goal created" });
  };
  const erase = async () => {
    await remove.mutateAsync({ period, metric });
    toast({ title: "Goal removed" });
  };
  return (
    <FormDialog
      title={goal ? goalName(goal, today) : "Create a goal"}
      label={goal ? "Save" : "Create goal"}
      action={save}
      second={goal && { label: "Remove", busy: "Removing...", icon: "trash", action: erase }}
      noValidate
      onClose={onClose}
    >
      <Field label="How many" required name="target period metric">
        <Input
          className="num"
          inputMode="numeric"
          autoComplete="off"
          suffix={SUFFIXES[metric]}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        />
      </Field>
      {!goal && (
        <div className={css.pair}>
          <Field label="Of">
            <Select options={optionsOf(METRIC_WORDS, valuesOf(METRIC_WORDS))} value={metric} onChoose={setMetric} />
          </Field>
          <Field label="In">
            <Select
              options={[
                { value: year, label: year },
                { value: month, label: goalPeriodName(month, today) },
              ]}
              value={period}
              onChoose={setPeriod}
            />
          </Field>
        </div>
      )}
      <Checkbox checked={rereads} onChange={(event) => setRereads(event.target.checked)}>
        Count rereads
      </Checkbox>
      {!goal && known && <p className="hint">You have this goal already. Saving changes it.</p>}
    </FormDialog>
  );
}
