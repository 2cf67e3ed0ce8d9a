import type { DeviceKind } from "../kit/api/types";
import css from "./Devices.module.css";
import { STEPS } from "./model";

/** The steps on a device. */
export function Steps({ kind }: { kind: DeviceKind }) {
  return (
    <ol className={css.list}>
      {STEPS[kind].map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
