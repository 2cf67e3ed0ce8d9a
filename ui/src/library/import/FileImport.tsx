import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { ApiError, serverMessage } from "../../kit/api/client";
import { sizeOf } from "../../kit/size";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { FileRow } from "../../kit/ui/FileField";
import { Step } from "../../kit/ui/Step";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { Spinner } from "../../kit/ui/Waiting";
import { type ChosenFile, type ImportRequest, pastImportsQuery, useImport } from "./api";
import { CapNotice } from "./CapNotice";
import { ColumnsStep } from "./ColumnsStep";
import { DatesStep } from "./DatesStep";
import { Failure } from "./Failure";
import css from "./Import.module.css";
import { ImportButtons } from "./ImportButtons";
import { Importing } from "./Importing";
import type { Imported } from "./ImportResultView";
import { OWN_EXPORT } from "./model";
import { PreviewStep } from "./PreviewStep";
import { RefusedFile } from "./RefusedFile";
import { ShelvesStep } from "./ShelvesStep";
import { tracker } from "./sync/texts";
import { FAILED, fileSummary } from "./texts";
import { type Preview, usePreview } from "./usePreview";

const SyncImport = lazy(() => import("./sync/SyncImport"));

interface FileImportProps {
  file: ChosenFile;
  /** The library is compared with the file, instead of importing it. */
  syncs: boolean;
  onSync: (syncs: boolean) => void;
  onRemove: () => void;
  onDone: (imported: Imported) => void;
}

/** A chosen file: its preview, the choices about it, and the import itself. */
export function FileImport({ file, syncs, onSync, onRemove, onDone }: FileImportProps) {
  const preview = usePreview(file);
  const [progress, setProgress] = useState({ sent: 0, total: 0 });
  const importing = useImport(setProgress);
  const { first } = preview;
  const known = useKnownTracker(first.data?.format);
  const frame = useStepFocus<HTMLDivElement>(`${importing.status} ${syncs}`, { onlyIfLost: true });

  const send = (request: ImportRequest) => {
    setProgress({ sent: 0, total: 0 });
    importing.mutate(request, {
      onSuccess: (result) => onDone({ kind: request.kind, fileName: file.name, result }),
    });
  };

  if (first.isError && !first.data) {
    const sentence = serverMessage(first.error, FAILED);
    if (isRefusal(first.error)) return <RefusedFile {...file} sentence={sentence} onRemove={onRemove} />;
    return (
      <section className={css.result} aria-label="File">
        <Failure sentence={sentence} onRetry={first.refetch} onAnother={onRemove} />
        <FileRow name={file.name} hint={sizeOf(file.size)} onRemove={onRemove} />
      </section>
    );
  }
  if (!first.data) {
    return <FileRow name={file.name} hint={<Spinner>Reading the file</Spinner>} onRemove={onRemove} />;
  }

  if (syncs && known) {
    return (
      <Suspense fallback={<Spinner>Comparing the file with your library</Spinner>}>
        <SyncImport file={file} name={known} fields={preview.fields} onBack={() => onSync(false)} onRemove={onRemove} />
      </Suspense>
    );
  }

  const now = preview.preview?.data;
  const summary = fileSummary(preview.kind, first.data, now);
  return (
    <div className={css.steps} ref={frame} tabIndex={-1}>
      {importing.isPending ? (
        <section aria-label="File">
          <FileRow name={file.name} hint={summary} />
          <Importing {...progress} size={file.size} books={(now ?? first.data).books} />
          <ImportButtons disabled busy={importing.variables.kind} primary={importing.variables.kind} />
        </section>
      ) : (
        <>
          <section className={css.result} aria-label="File">
            {importing.isError && (
              <Failure
                sentence={serverMessage(importing.error, FAILED)}
                onRetry={() => send(importing.variables)}
                onAnother={onRemove}
              />
            )}
            <FileRow name={file.name} hint={summary} onRemove={onRemove} />
            {known && (
              <Alert kind="note">
                <strong>This library has seen a file from {known} before.</strong>
                Your books can take over what has changed there since. What you changed here stays, and nothing is
                deleted.
                <div className={css.retry}>
                  <Button variant="primary" size="compact" onClick={() => onSync(true)}>
                    Bring it up to date
                  </Button>
                </div>
              </Alert>
            )}
          </section>
          <Steps preview={preview} onChange={importing.reset} />
          <ImportButtons
            onImport={(kind) => send({ kind, file, fields: preview.fields })}
            disabled={{ books: preview.lacks("books") !== null, tbr: preview.lacks("tbr") !== null }}
            primary={preview.kind}
          />
        </>
      )}
    </div>
  );
}

/** The name of the tracker whose file this is, if the library has imported one of its files; otherwise null. */
function useKnownTracker(format: string | undefined): string | null {
  const name = format === undefined ? null : tracker(format);
  const { data } = useQuery({ ...pastImportsQuery, enabled: name !== null });
  return data?.some((past) => past.format === format && past.undone === null) ? name : null;
}

/** The steps that need a decision come first, then the preview of what will be saved. */
function Steps({ preview, onChange }: { preview: Preview; onChange: () => void }) {
  const { first, kind, columns, choices } = preview;
  const now = preview.preview?.data ?? first.data;
  if (!now) return null;
  /** A changed choice makes a different import, so the previous failure no longer matters. */
  const choosing =
    <Chosen extends unknown[]>(choose: (...chosen: Chosen) => void) =>
    (...chosen: Chosen) => {
      choose(...chosen);
      onChange();
    };
  const isKnown = now.format !== "unknown";
  const moods = isKnown ? columns.find(({ name }) => name.trim().toLowerCase() === "moods") : undefined;
  return (
    <>
      {kind === "books" && <CapNotice preview={now} />}
      {now.shelves.length > 0 && (
        <ShelvesStep shelves={now.shelves} chosen={choices.shelves} onChoose={choosing(preview.chooseShelf)} />
      )}
      {now.ambiguousDates && (
        <DatesStep
          dates={now.ambiguousDates}
          order={now.dateOrder}
          onChoose={(dateOrder) => choosing(preview.choose)({ dateOrder })}
        />
      )}
      {now.format === OWN_EXPORT ? (
        <Step title="Columns" side={`All ${columns.length} used`}>
          <p className="hint">
            {now.restored
              ? "This is a complete export: everything in it is restored."
              : "Shelfwise wrote this file: everything in it is read."}
          </p>
        </Step>
      ) : (
        <ColumnsStep
          columns={columns}
          known={isKnown}
          missing={preview.lacks(kind)}
          onChoose={choosing(preview.chooseColumn)}
        />
      )}
      <PreviewStep
        preview={preview.preview}
        missing={preview.lacks(kind)}
        kind={kind}
        onKind={preview.setKind}
        choices={choices}
        onChoose={choosing(preview.choose)}
        moods={moods}
        onMoods={(areTags) => moods && choosing(preview.chooseColumn)(moods.name, areTags ? "tags" : null)}
      />
    </>
  );
}

/** Whether the file itself was refused, as opposed to a failure to reach the server. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
