import { type ComponentProps, type ReactNode, useState } from "react";
import { whole } from "../kit/format";
import { Panel } from "../kit/ui/Panel";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Admin.module.css";
import { FEW, MANY, type Ranked } from "./model";
import { FetchError, hasNeverLoaded, More } from "./Panel";

interface RankedListProps {
  title: string;
  /** The row with the most users first; undefined while the rows are loading. */
  rows: readonly Ranked[] | undefined;
  /** The text shown when there are no rows. */
  empty: string;
  /** The reason why there are no rows. */
  hint?: ReactNode;
  asked: ComponentProps<typeof FetchError>["asked"];
}

/** Places or devices of users with a bar for each: 5 rows, or 20. */
export function RankedList({ title, rows, empty, hint, asked }: RankedListProps) {
  const [expanded, setExpanded] = useState(false);
  const hasMore = rows !== undefined && rows.length > FEW;
  return (
    <Panel title={title} beside end={hasMore && <More of={title} expanded={expanded} onExpand={setExpanded} />}>
      {!rows && !hasNeverLoaded(asked) && <Spinner>Counting</Spinner>}
      {rows?.length === 0 && (
        <div className={css.none}>
          <p>{empty}</p>
          {hint && <p className="hint">{hint}</p>}
        </div>
      )}
      {rows && rows.length > 0 && <Bars rows={rows.slice(0, expanded ? MANY : FEW)} />}
      <FetchError asked={asked} what={title} />
    </Panel>
  );
}

function Bars({ rows }: { rows: readonly Ranked[] }) {
  const most = rows[0]?.users ?? 0;
  return (
    <ol>
      {rows.map(({ name, detail, users }) => (
        <li key={`${name}, ${detail}`} className={css.rank}>
          <span>
            {name} {detail && <span className="muted">{detail}</span>}
          </span>
          <span>
            {whole(users)}
            <span className="vh"> users</span>
          </span>
          <svg className={css.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect width="100" height="6" />
            <rect className="d1" width={most === 0 ? 0 : ((100 * users) / most).toFixed(1)} height="6" />
          </svg>
        </li>
      ))}
    </ol>
  );
}
