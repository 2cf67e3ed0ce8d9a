import css from "./KpiStrip.module.css";
import { Skeleton } from "./Waiting";

/** One figure with its label. */
export interface Kpi {
  label: string;
  /** The unit is set smaller. Null while the figure is loading. */
  value: { value: string; unit: "" | "K" | "M" | "%" } | null;
  /** A line below, in small print. */
  note?: string;
  /** A second line; its room is kept while it is blank. */
  second?: string;
}

interface KpiStripProps {
  kpis: readonly Kpi[];
  /** The number of columns when there is room for all. */
  columns: 4 | 5 | 6;
  /** Without the double rule above, when the heading has a rule of its own. */
  bare?: boolean;
  /** The figures are zero: they are shown in a muted colour, without notes. */
  muted?: boolean;
  className?: string;
}

/** A strip of large figures below a double rule. */
export function KpiStrip({ kpis, columns, bare, muted, className }: KpiStripProps) {
  return (
    <dl
      className={className ? `${css.strip} ${className}` : css.strip}
      data-columns={columns}
      data-bare={bare || undefined}
    >
      {kpis.map(({ label, value, note, second }) => (
        <div key={label} className={css.kpi}>
          <dt className={css.label}>{label}</dt>
          {value === null && <Loading />}
          {value && (
            <dd className={muted ? `${css.value} muted` : css.value}>
              {value.value}
              {value.unit && <span className={css.unit}>{value.unit}</span>}
            </dd>
          )}
          {note && !muted && (
            <dd className={css.note}>
              {note}
              {second !== undefined && <span className={css.second}>{second}</span>}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Loading() {
  return (
    <>
      <dd className={css.loading}>
        <Skeleton width={50} height={1.75} />
      </dd>
      <dd>
        <Skeleton width={62} />
      </dd>
    </>
  );
}
