import { type FormEvent, useId, useState } from "react";
import { errorMessage, fieldsOf } from "../kit/api/client";
import type { Goal, GoalMetric } from "../kit/api/types";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Checkbox } from "../kit/ui/Choice";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, Input, Select } from "../kit/ui/Field";
import { toast } from "../kit/ui/toast";
import { readNumber } from "../library/books/numbers";
import { useDeleteGoal, useSetGoal } from "./api";
import { goalName, goalPeriodName } from "./model";
import css from "./Reading.module.css";

const METRICS: readonly { value: GoalMetric; label: string }[] = [
  { value: "books", label: "Books" },
  { value: "words", label: "Words" },
  { value: "pages", label: "Pages" },
  { value: "minutes", label: "Hours" },
];

/** Hours are typed, and minutes are stored. */
const unitOf = (metric: GoalMetric) => (metric === "minutes" ? 60 : 1);

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
  const id = useId();
  const [year, month] = [today.slice(0, 4), today.slice(0, 7)];
  const [period, setPeriod] = useState(goal?.period ?? year);
  const [metric, setMetric] = useState<GoalMetric>(goal?.metric ?? "books");
  const [target, setTarget] = useState(goal ? String(goal.target / unitOf(goal.metric)) : "");
  const [rereads, setRereads] = useState(goal?.rereads ?? true);
  const [refused, setRefused] = useState<string>();
  const set = useSetGoal();
  const remove = useDeleteGoal();
  const error = set.error ?? remove.error;
  const fields = fieldsOf(set.error);
  const known = goal ?? goals.find((other) => other.period === period && other.metric === metric);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const number = readNumber(target);
    const isWhole = number !== null && target.trim() !== "" && number >= 1;
    setRefused(isWhole ? undefined : "A goal is a whole number from 1.");
    if (!isWhole) return;
    try {
      await set.mutateAsync({ period, metric, target: number * unitOf(metric), rereads });
    } catch {
      return;
    }
    toast({ title: known ? "Goal changed" : "Goal set" });
    onClose();
  };
  const erase = async () => {
    try {
      await remove.mutateAsync({ period, metric });
    } catch {
      return;
    }
    toast({ title: "Goal removed" });
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={goal ? goalName(goal, today) : "Set a goal"}
      foot={
        <>
          {goal && (
            <Button variant="quiet" icon="trash" busy={remove.isPending && "Removing..."} onClick={erase}>
              Remove
            </Button>
          )}
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={set.isPending && "Saving..."}>
            {goal ? "Save" : "Set the goal"}
          </Button>
        </>
      }
    >
      <form className={css.dialog} id={id} noValidate onSubmit={submit}>
        {error && Object.keys(fields).length === 0 && <Alert>{errorMessage(error, "Please try again.")}</Alert>}
        {!goal && (
          <div className={css.pair}>
            <Field label="For">
              <Select
                options={[
                  { value: year, label: year },
                  { value: month, label: goalPeriodName(month, today) },
                ]}
                value={period}
                onChoose={setPeriod}
              />
            </Field>
            <Field label="Of">
              <Select options={METRICS} value={metric} onChoose={setMetric} />
            </Field>
          </div>
        )}
        <Field label="Goal" required error={refused ?? fields.target ?? fields.period ?? fields.metric}>
          <Input
            className="num"
            inputMode="numeric"
            autoComplete="off"
            suffix={metric === "minutes" ? "hours" : metric}
            value={target}
            onChange={(event) => setTarget(event.target.value)}
          />
        </Field>
        <Checkbox checked={rereads} onChange={(event) => setRereads(event.target.checked)}>
          Rereads count
        </Checkbox>
        {!goal && known && <p className="hint">This goal is already set. Saving changes it.</p>}
      </form>
    </Dialog>
  );
}
