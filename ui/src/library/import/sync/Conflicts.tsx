import type { ReactNode } from "react";
import type { SyncConflict } from "../../../kit/api/types";
import { whole } from "../../../kit/format";
import { Button } from "../../../kit/ui/Button";
import { Radio } from "../../../kit/ui/Choice";
import { Step } from "../../../kit/ui/Step";
import css from "./Sync.module.css";
import { conflictText, theirsText, valueText } from "./texts";

/** A key that no other conflict has. */
export function keyOfConflict({ id, list, field, row }: SyncConflict): string {
  return `${list ? "tbr" : "book"} ${id} ${field} ${row}`;
}

interface ConflictsProps {
  conflicts: readonly SyncConflict[];
  /** The keys of those in which the file's value is taken. */
  taken: ReadonlySet<string>;
  onTake: (taken: ReadonlySet<string>) => void;
}

/** Fields that were changed here and there, side by side, with a choice for each. */
export function Conflicts({ conflicts, taken, onTake }: ConflictsProps) {
  const choose = (key: string, isTheirs: boolean) => {
    const next = new Set(taken);
    if (isTheirs) next.add(key);
    else next.delete(key);
    onTake(next);
  };
  const all = conflicts.length > 1 && (
    <div className={css.acts}>
      <Button size="compact" onClick={() => onTake(new Set())}>
        All as here
      </Button>
      <Button size="compact" onClick={() => onTake(new Set(conflicts.map(keyOfConflict)))}>
        All as in the file
      </Button>
    </div>
  );
  return (
    <Step title={conflicts.length === 1 ? "One to decide" : `${whole(conflicts.length)} to decide`} side={all}>
      {conflicts.map((conflict) => {
        const key = keyOfConflict(conflict);
        const { field, title, author, mine, before } = conflict;
        return (
          <fieldset className={css.conflict} key={key}>
            <legend dir="auto">
              {title} <span className="muted">{author}</span>
            </legend>
            <p className="hint">{conflictText(conflict)}</p>
            <div className={css.values}>
              <Value name={key} label="Here" isChosen={!taken.has(key)} onChoose={() => choose(key, false)}>
                {valueText(field, mine)}
              </Value>
              <Value name={key} label="In this file" isChosen={taken.has(key)} onChoose={() => choose(key, true)}>
                {theirsText(conflict)}
              </Value>
              <div className={`${css.value} ${css.before}`}>
                <span className="hint">Before</span>
                <span className={css.text} dir="auto">
                  {valueText(field, before)}
                </span>
              </div>
            </div>
          </fieldset>
        );
      })}
    </Step>
  );
}

interface ValueProps {
  name: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Value({ name, label, isChosen, onChoose, children }: ValueProps) {
  return (
    <div className={css.value} data-chosen={isChosen || undefined}>
      <Radio name={name} checked={isChosen} onChange={onChoose}>
        {label}
      </Radio>
      <span className={css.text} dir="auto">
        {children}
      </span>
    </div>
  );
}
