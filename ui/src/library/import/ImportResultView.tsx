import { useState } from "react";
import { useSubscription } from "../../access/subscription";
import type { ImportResult, UndoneImport } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Alert, Banner } from "../../kit/ui/Alert";
import { Button, LinkButton, PlainLinkButton } from "../../kit/ui/Button";
import { Step } from "../../kit/ui/Step";
import { rejectedRowsPath } from "./api";
import css from "./Import.module.css";
import { type Kind, roomLeft } from "./model";
import { EmptyCells, RefusedRows } from "./RefusedRows";
import { beyondText, outcome, ownErrors, successText, tally } from "./texts";
import { UndoDialog } from "./UndoDialog";

export interface Imported {
  kind: Kind;
  fileName: string;
  result: ImportResult;
}

type ImportResultViewProps = Imported & {
  onAnother: () => void;
  onUndone: (undone: UndoneImport) => void;
};

/** The result of an import: what was added, what was refused, and what to do next. */
export function ImportResultView({ kind, fileName, result, onAnother, onUndone }: ImportResultViewProps) {
  const [undoing, setUndoing] = useState(false);
  const beyond = result.beyondLimit ?? 0;
  const madeSomething = result.imported + result.importedTbr > 0;
  const { data: subscription } = useSubscription();
  const full = kind === "books" && subscription !== undefined && roomLeft(result, subscription.limits) !== null;
  return (
    <section className={css.result} aria-label="Result">
      <Alert kind="ok">
        <strong>Import successful</strong>
        {successText(kind, result)}
      </Alert>
      <dl className={css.tally}>
        {tally(kind, result).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{whole(value)}</dd>
          </div>
        ))}
      </dl>
      {beyond > 0 && (
        <Banner action={<Download importId={result.importId} />}>
          {beyondText(beyond)}. The rows are kept with this import. After an upgrade, import the file again: it adds the
          books that are missing.
        </Banner>
      )}
      {ownErrors(result) > 0 && (
        <Step title="Rows with errors" side={beyond === 0 && <Download importId={result.importId} />}>
          <RefusedRows result={result} />
        </Step>
      )}
      <EmptyCells result={result} />
      <div className="form-foot">
        {full && (
          <LinkButton variant="primary" href={paths.pricing()}>
            Upgrade
          </LinkButton>
        )}
        <LinkButton variant={full ? "outline" : "primary"} href={kind === "books" ? paths.dashboard() : paths.tbr()}>
          {kind === "books" ? "See the dashboard" : "See your TBR"}
        </LinkButton>
        <Button variant="quiet" onClick={onAnother}>
          Import another file
        </Button>
        {madeSomething && (
          <Button className="push" variant="quiet" icon="undo" onClick={() => setUndoing(true)}>
            Undo this import
          </Button>
        )}
      </div>
      {undoing && result.importId !== null && (
        <UndoDialog
          onClose={() => setUndoing(false)}
          import={{ id: result.importId, fileName, summary: outcome(kind, result) }}
          onUndone={onUndone}
        />
      )}
    </section>
  );
}

function Download({ importId }: { importId: number | null }) {
  if (importId === null) return null;
  return (
    <PlainLinkButton icon="download" size="compact" href={rejectedRowsPath(importId)} download>
      Download these rows
    </PlainLinkButton>
  );
}
