import { whole } from "../../kit/format";
import css from "./Import.module.css";

/** A figure with its name. */
export type Figure = readonly [name: string, value: number];

/** The figures of a file, large. */
export function Tally({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={css.tally}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{whole(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
