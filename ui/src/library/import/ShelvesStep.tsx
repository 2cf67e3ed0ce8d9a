import { useId } from "react";
import type { ImportPreview } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Select } from "../../kit/ui/Field";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Step } from "../../kit/ui/Step";
import css from "./Import.module.css";
import type { Place } from "./model";
import { PLACES } from "./texts";

interface ShelvesStepProps {
  shelves: ImportPreview["shelves"];
  chosen: ReadonlyMap<string, Place>;
  onChoose: (shelf: string, place: Place) => void;
}

/** The reader's custom shelves, and the status that their books get. */
export function ShelvesStep({ shelves, chosen, onChoose }: ShelvesStepProps) {
  const id = useId();
  return (
    <Step title="Shelves" side={`${shelves.length} of your own`}>
      <Leaders>
        {shelves.map(({ name, rows, guess }, i) => (
          <Leader
            key={name}
            className={css.shelf}
            name={
              <label className="serif" htmlFor={id + i} dir="auto">
                {name}
              </label>
            }
          >
            <span>{counted(rows, "book")}</span>
            <Select
              id={id + i}
              options={PLACES}
              value={chosen.get(name) ?? (guess as Place)}
              onChoose={(place) => onChoose(name, place)}
            />
          </Leader>
        ))}
      </Leaders>
      <p className="hint">Read, to-read and currently-reading are known. We guessed the others: please check.</p>
    </Step>
  );
}
