import { Fold, Folds } from "../kit/ui/Fold";
import css from "./Devices.module.css";
import { KINDS, OTHER_STEPS, STEPS } from "./model";

/** Steps, numbered. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className={css.list}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** The steps for everything that reports. */
export function AllSteps() {
  const all = [...KINDS.map(({ value, label }) => ({ label, steps: STEPS[value] })), ...OTHER_STEPS];
  return (
    <Folds>
      {all.map(({ label, steps }) => (
        <Fold key={label} title={label}>
          <Steps steps={steps} />
        </Fold>
      ))}
    </Folds>
  );
}
