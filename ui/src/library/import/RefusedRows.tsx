import type { ImportDetail } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { refusedRows } from "./model";
import { rowsText } from "./texts";

/** Reasons shown before the rest is left to the download. */
const SHOWN = 12;

interface RefusedRowsProps {
  /** The first 100 rows. */
  details: readonly ImportDetail[];
  /** How many rows there are in all. */
  errors: number;
}

/** Which rows of a file can't be taken, and why. */
export function RefusedRows({ details, errors }: RefusedRowsProps) {
  const shown = refusedRows(details).slice(0, SHOWN);
  const others = errors - shown.reduce((sum, { rows }) => sum + rows, 0);
  if (shown.length === 0) return null;
  return (
    <div>
      <Leaders>
        {shown.map((refused) => (
          <Leader key={`${refused.from} ${refused.message}`} name={rowsText(refused)}>
            {refused.message}
          </Leader>
        ))}
      </Leaders>
      {others > 0 && <p className="hint">And {counted(others, "more row")}.</p>}
    </div>
  );
}
