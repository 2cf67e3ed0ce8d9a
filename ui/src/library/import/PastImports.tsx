import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useZone } from "../../access/zone";
import type { UndoneImport } from "../../kit/api/types";
import { counted, instantDate } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../../kit/ui/DefinitionRows";
import { NotFetched } from "../../kit/ui/Fetched";
import { Link } from "../../kit/ui/Link";
import { type KnownImport, leftOutRowsPath, pastImportsQuery, rejectedRowsPath } from "./api";
import css from "./Import.module.css";
import { pastSummary, UNNAMED } from "./texts";
import { UndoDialog } from "./UndoDialog";

/** Past imports, each with a button to undo it. */
export function PastImports({ onUndone }: { onUndone: (undone: UndoneImport) => void }) {
  const { data, isError, refetch } = useQuery(pastImportsQuery);
  const zone = useZone();
  const [undoing, setUndoing] = useState<KnownImport | null>(null);

  if (isError && !data) {
    return <NotFetched onRetry={refetch}>Your past imports could not be loaded.</NotFetched>;
  }
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby="past-imports">
      <h2 className={`h3 ${css.pastTitle}`} id="past-imports">
        Past imports
      </h2>
      <p className={`hint ${css.pastHint}`}>
        Your books may lack something that these files say. <Link href={paths.fillIn()}>See what they can add</Link>
      </p>
      <DefinitionRows>
        {data.map((one) => (
          <Past key={one.id} past={one} onUndo={() => setUndoing(one)} />
        ))}
      </DefinitionRows>
      {undoing && (
        <UndoDialog
          onClose={() => setUndoing(null)}
          import={{
            id: undoing.id,
            fileName: undoing.fileName || UNNAMED,
            summary: `${instantDate(undoing.createdAt, zone)}: ${pastSummary(undoing, zone)}`,
          }}
          onUndone={onUndone}
        />
      )}
    </section>
  );
}

/** A past import: its file, what became of its rows, and its undo while there is something to undo. */
function Past({ past, onUndo }: { past: KnownImport; onUndo: () => void }) {
  const file = past.fileName || UNNAMED;
  const zone = useZone();
  const day = instantDate(past.createdAt, zone);
  return (
    <DefinitionRow
      name={day}
      action={
        past.undone === null &&
        past.imported + past.importedTbr > 0 && (
          <Button size="compact" icon="undo" aria-label={`Undo the import of ${day}, ${file}`} onClick={onUndo}>
            Undo
          </Button>
        )
      }
    >
      <div className={css.past}>
        <span className={css.pastFile} dir="auto">
          {file}
        </span>
        <span className="hint">
          {pastSummary(past, zone)}
          {past.errors > 0 && (
            <>
              {" "}
              <a href={rejectedRowsPath(past.id)} download aria-label={`Download the rows of ${file} with errors`}>
                Download
              </a>
            </>
          )}
          {past.leftOut > 0 && (
            <>
              {" "}
              {counted(past.leftOut, "row")} left out.{" "}
              <a
                href={leftOutRowsPath(past.id)}
                download
                aria-label={`Download the rows of ${file} that were left out`}
              >
                Download
              </a>
            </>
          )}
        </span>
      </div>
    </DefinitionRow>
  );
}
