import css from "./KpiStrip.module.css";
import { Skeleton } from "./Waiting";

/** One figure with what it counts. */
export interface Kpi {
  label: string;
  /** The unit is set smaller. Null while it is being fetched. */
  value: { value: string; unit: "" | "K" | "M" | "%" } | null;
  /** A line below, in small print. */
  note?: string;
}

interface KpiStripProps {
  kpis: readonly Kpi[];
  /** How many side by side where there is room for all. */
  columns: 4 | 5 | 6;
  /** Without the double rule above, where a heading's own rule is there already. */
  bare?: boolean;
  /** The figures are noughts: they recede, and nothing is said about them. */
  muted?: boolean;
  className?: string;
}

/** A strip of large figures under a double rule. */
export function KpiStrip({ kpis, columns, bare, muted, className }: KpiStripProps) {
  return (
    <dl
      className={className ? `${css.strip} ${className}` : css.strip}
      data-columns={columns}
      data-bare={bare || undefined}
    >
      {kpis.map(({ label, value, note }) => (
        <div key={label} className={css.kpi}>
          <dt className={css.label}>{label}</dt>
          {value === null && <Loading />}
          {value && (
            <dd className={muted ? `${css.value} muted` : css.value}>
              {value.value}
              {value.unit && <span className={css.unit}>{value.unit}</span>}
            </dd>
          )}
          {note && !muted && <dd className={css.note}>{note}</dd>}
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
