import { type ReactNode, useId, useState } from "react";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/Waiting";
import css from "./ChartFrame.module.css";

/** The numbers of a drawing as a table, for readers who can't see the drawing. */
export interface ChartTable {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  title: string;
  /** `locked` means that the plan does not include the chart; the children say so. */
  state: "ready" | "loading" | "empty" | "error" | "locked";
  /** The main finding, in italics below the title. */
  note?: ReactNode;
  /** Controls at the right of the title: a toggle, a badge. */
  actions?: ReactNode;
  table?: ChartTable;
  /** Whether a button shows the table in place of the drawing. */
  tableButton?: boolean;
  /** Aligns the drawing with the lower edge, beside a taller neighbour. */
  atFoot?: boolean;
  /** A lower "No data available", for a page on which no chart has data. */
  low?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A figure: title, note, drawing, and the same numbers as a table. It also shows the loading, empty and error states. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, state, note, actions, table, tableButton, atFoot, low, className, children } = props;
  const heading = useId();
  const [showsTable, setShowsTable] = useState(false);
  return (
    <figure
      className={className ? `${css.figure} ${className}` : css.figure}
      aria-labelledby={heading}
      aria-busy={state === "loading" || undefined}
    >
      <figcaption className={css.head}>
        <h2 className="h3" id={heading}>
          {title}
        </h2>
        {actions}
        {tableButton && state === "ready" && (
          <Button
            variant="quiet"
            size="compact"
            icon="list"
            aria-label={`Table: ${title}`}
            aria-pressed={showsTable}
            onClick={() => setShowsTable(!showsTable)}
          >
            Table
          </Button>
        )}
      </figcaption>
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
          {!showsTable && (
            <div className={css.body} data-at-foot={atFoot || undefined}>
              {children}
            </div>
          )}
          {table && (
            <div className={showsTable ? css.shown : `vh ${css.table}`}>
              <DataTable {...table} />
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

function DataTable({ caption, head, rows }: ChartTable) {
  return (
    <table>
      <caption className="vh">{caption}</caption>
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
            <th scope="row" dir="auto">
              {name}
            </th>
            {values.map((value, i) => (
              <td key={head[i + 1]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
