import type { ReactNode } from "react";
import type { ImportResult } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Fold } from "../../kit/ui/Fold";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import css from "./Import.module.css";
import { refusedRows } from "./model";
import { emptyCells, ownErrors, rowsText } from "./texts";

/** Reasons shown here; the download has all of them. */
const SHOWN = 12;

/** The rows of a file that can't be imported, with the reasons. Books that only have no room in the plan are not among them. */
function RefusedRows({ result }: { result: Pick<ImportResult, "details" | "errors" | "beyondLimit"> }) {
  const shown = refusedRows(result.details.filter(({ beyondLimit }) => !beyondLimit)).slice(0, SHOWN);
  const others = ownErrors(result) - shown.reduce((sum, { rows }) => sum + rows, 0);
  if (shown.length === 0) return null;
  return (
    <div>
      <Leaders>
        {shown.map((refused) => (
          <Leader
            key={`${refused.from} ${refused.message}`}
            name={<span className={refused.rows === 1 ? "nowrap" : undefined}>{rowsText(refused)}</span>}
          >
            {refused.message}
          </Leader>
        ))}
      </Leaders>
      {others > 0 && <p className="hint">And {counted(others, "more row")}.</p>}
    </div>
  );
}

/** The cells that were left empty because they could not be read. Their rows are imported. */
function EmptyCells({ result: { notes = [], noted = 0 } }: { result: Pick<ImportResult, "notes" | "noted"> }) {
  if (noted === 0) return null;
  return (
    <div>
      <h3 className={`label ${css.toTbr}`}>{emptyCells(noted)}</h3>
      <RefusedRows result={{ details: notes, errors: noted }} />
    </div>
  );
}

interface FoldedErrorsProps {
  result: ImportResult;
  children?: ReactNode;
}

/** Rows that can't be imported and cells that were left empty, folded; nothing where there are none. */
export function FoldedErrors({ result, children }: FoldedErrorsProps) {
  const errors = ownErrors(result);
  const { noted = 0 } = result;
  if (errors + noted === 0) return null;
  const holds = [errors > 0 && counted(errors, "row"), noted > 0 && emptyCells(noted)].filter(Boolean).join(", ");
  return (
    <Fold title="Errors" holds={holds} act="Show">
      <RefusedRows result={result} />
      <EmptyCells result={result} />
      {children}
    </Fold>
  );
}
