import { type ComponentProps, type ReactNode, useState } from "react";
import { whole } from "../kit/format";
import { Panel } from "../kit/ui/Panel";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Admin.module.css";
import { FEW, MANY, type Ranked } from "./model";
import { More, neverCame, Trouble } from "./Panel";

interface RankedListProps {
  title: string;
  /** Most users first; undefined while they are being fetched. */
  rows: readonly Ranked[] | undefined;
  /** What is said where there is nothing. */
  empty: string;
  /** Why there is nothing. */
  hint?: ReactNode;
  asked: ComponentProps<typeof Trouble>["asked"];
}

/** Where users come from or what they use, with a bar for each: 5 of them, or 20. */
export function RankedList({ title, rows, empty, hint, asked }: RankedListProps) {
  const [expanded, setExpanded] = useState(false);
  const hasMore = rows !== undefined && rows.length > FEW;
  return (
    <Panel title={title} beside end={hasMore && <More of={title} expanded={expanded} onExpand={setExpanded} />}>
      {!rows && !neverCame(asked) && <Spinner>Counting</Spinner>}
      {rows?.length === 0 && (
        <div className={css.none}>
          <p>{empty}</p>
          {hint && <p className="hint">{hint}</p>}
        </div>
      )}
      {rows && rows.length > 0 && <Bars rows={rows.slice(0, expanded ? MANY : FEW)} />}
      <Trouble asked={asked} what={title} />
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
