import { useState } from "react";
import { useSubscription } from "../../access/subscription";
import type { ImportResult, UndoneImport } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Banner } from "../../kit/ui/Alert";
import { Button, LinkButton, PlainLinkButton } from "../../kit/ui/Button";
import { Folds } from "../../kit/ui/Fold";
import { Icon } from "../../kit/ui/Icon";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
import { rejectedRowsPath } from "./api";
import css from "./Import.module.css";
import { type Kind, roomLeft } from "./model";
import { FoldedErrors } from "./RefusedRows";
import { beyondText, NO_LENGTH, outcome, ownErrors, successText, tally } from "./texts";
import { UndoDialog } from "./UndoDialog";

export interface Imported {
  kind: Kind;
  fileName: string;
  result: ImportResult;
  /** The new books without a length, as the preview counted them. */
  withoutWords: number;
}

type ImportResultViewProps = Imported & {
  onAnother: () => void;
  onUndone: (undone: UndoneImport) => void;
};

/** The result of an import: what was added, what was refused, and what to do next. */
export function ImportResultView({ kind, fileName, result, withoutWords, onAnother, onUndone }: ImportResultViewProps) {
  const [undoing, setUndoing] = useState(false);
  const beyond = result.beyondLimit ?? 0;
  const madeSomething = result.imported + result.importedTbr > 0;
  const { data: subscription } = useSubscription();
  const full = kind === "books" && subscription !== undefined && roomLeft(result, subscription.limits) !== null;
  return (
    <section className={css.result} aria-label="Result">
      <div role="status">
        <h2 className={`h2 ${css.done}`}>
          <Icon name="ok" />
          <span>{successText(kind, result)}</span>
        </h2>
      </div>
      <Leaders>
        {tally(kind, result, withoutWords).map(({ name, value }) => (
          <Leader key={name} name={name}>
            {whole(value)}
            {name === NO_LENGTH && (
              <>
                {". "}
                <Link href={paths.dashboard()}>Change books</Link>
              </>
            )}
          </Leader>
        ))}
      </Leaders>
      {beyond > 0 && (
        <Banner action={<Download importId={result.importId} />}>
          {beyondText(beyond)}. The rows are kept with this import. After an upgrade, import the file again: it adds the
          books that are missing.
        </Banner>
      )}
      <Folds>
        <FoldedErrors result={result}>
          {ownErrors(result) > 0 && beyond === 0 && (
            <div>
              <Download importId={result.importId} />
            </div>
          )}
        </FoldedErrors>
      </Folds>
      <div className={`form-foot ${css.actions}`}>
        {full && (
          <LinkButton variant="primary" href={paths.pricing()}>
            Upgrade
          </LinkButton>
        )}
        <LinkButton variant={full ? "outline" : "primary"} href={kind === "books" ? paths.dashboard() : paths.tbr()}>
          {kind === "books" ? "Go to your dashboard" : "Go to your TBR"}
        </LinkButton>
        <Button variant="quiet" onClick={onAnother}>
          Import another file
        </Button>
        {madeSomething && (
          <Button className="push" variant="quiet" icon="undo" onClick={() => setUndoing(true)}>
            Undo
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
