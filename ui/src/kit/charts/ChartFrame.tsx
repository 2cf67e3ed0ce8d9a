import { type ReactNode, useId } from "react";
import { Skeleton } from "../ui/Waiting";
import css from "./ChartFrame.module.css";

/** The numbers of a drawing, for those who cannot see it. */
export interface ChartTable {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  title: string;
  /** `locked` is for what the plan does not include: the children say so. */
  state: "ready" | "loading" | "empty" | "error" | "locked";
  /** The finding, in italics under the title. */
  note?: ReactNode;
  /** At the right of the title: a toggle, a badge. */
  actions?: ReactNode;
  table?: ChartTable;
  /** Stands the drawing on the lower edge, beside a higher neighbour. */
  atFoot?: boolean;
  /** A lower "No data available", for when nothing on the page has any. */
  low?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A figure: title, note, drawing, and the same numbers as a table. Owns what stands there while there is no drawing. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, state, note, actions, table, atFoot, low, className, children } = props;
  const heading = useId();
  return (
    <figure
      className={className ? `${css.figure} ${className}` : css.figure}
      aria-labelledby={heading}
      aria-busy={state === "loading" || undefined}
    >
      <div className={css.head}>
        <figcaption>
          <h2 className="h3" id={heading}>
            {title}
          </h2>
        </figcaption>
        {actions}
      </div>
      {state === "loading" && <Loading />}
      {state === "empty" && (
        <p className={css.empty} data-low={low || undefined}>
          No data available
        </p>
      )}
      {state === "error" && (
        <p className={css.empty} role="alert">
          This chart could not be loaded
        </p>
      )}
      {state === "locked" && children}
      {state === "ready" && (
        <>
          {note && <p className={css.note}>{note}</p>}
          <div className={css.body} data-at-foot={atFoot || undefined}>
            {children}
          </div>
          {table && (
            <div className={`vh ${css.table}`}>
              <HiddenTable {...table} />
            </div>
          )}
        </>
      )}
    </figure>
  );
}

function Loading() {
  return (
    <>
      <p className={css.note}>
        <Skeleton width={45} />
      </p>
      <div className={css.skeleton} aria-hidden="true" />
    </>
  );
}

function HiddenTable({ caption, head, rows }: ChartTable) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, i) => (
              <td key={head[i + 1]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
