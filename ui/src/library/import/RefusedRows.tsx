import type { ImportDetail } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { refusedRows } from "./model";
import { rowsText } from "./texts";

/** Reasons shown here; the download has all of them. */
const SHOWN = 12;

interface RefusedRowsProps {
  /** The first 100 rows. */
  details: readonly ImportDetail[];
  /** The number of refused rows in all. */
  errors: number;
}

/** The rows of a file that can't be imported, with the reasons. */
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
