import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { errorMessage, serverMessage } from "../../kit/api/client";
import type { ImportPreview } from "../../kit/api/types";
import { sizeOf } from "../../kit/size";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { FileRow } from "../../kit/ui/FileField";
import { Fold } from "../../kit/ui/Fold";
import { lazyWithin } from "../../kit/ui/lazyPart";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { Spinner } from "../../kit/ui/Waiting";
import { type ChosenFile, type ImportRequest, isRefused, pastImportsQuery, useImport, wasCanceled } from "./api";
import { CapNotice } from "./CapNotice";
import { Failure } from "./Failure";
import { FileChoices } from "./FileChoices";
import css from "./Import.module.css";
import { ImportButtons } from "./ImportButtons";
import { Canceled, Importing, Reading } from "./Importing";
import type { Imported } from "./ImportResultView";
import { PreviewRows } from "./PreviewRows";
import { RefusedFile } from "./RefusedFile";
import { FoldedErrors } from "./RefusedRows";
import { tracker } from "./sync/texts";
import { Tally } from "./Tally";
import { FAILED, figures, formatText, previewNotes, shownText } from "./texts";
import { type Preview, usePreview } from "./usePreview";

const SyncImport = lazyWithin(() => import("./sync/SyncImport").then((all) => all.default));

const KINDS = [
  { value: "books", label: "As Read Books" },
  { value: "tbr", label: "As TBR" },
] as const;

interface FileImportProps {
  file: ChosenFile;
  /** It is imported as new, even if the library has imported a file of its tracker. */
  isNew: boolean;
  onNew: () => void;
  onRemove: () => void;
  onDone: (imported: Imported) => void;
}

/** A chosen file: its preview, the choices about it, and the import itself. */
export function FileImport({ file, isNew, onNew, onRemove, onDone }: FileImportProps) {
  const preview = usePreview(file);
  const importing = useImport();
  const [wasAsked, setWasAsked] = useState(false);
  const { first, kind } = preview;
  const known = useKnownTracker(first.data?.format);
  const frame = useStepFocus<HTMLDivElement>(`${importing.status} ${isNew}`, { onlyIfLost: true });

  if (first.isError && !first.data) {
    const sentence = serverMessage(first.error, FAILED);
    if (isRefused(first.error)) return <RefusedFile {...file} sentence={sentence} onRemove={onRemove} />;
    return (
      <section className={css.result} aria-label="File">
        <Failure sentence={sentence} onRetry={first.refetch} onAnother={onRemove} />
        <FileRow name={file.name} hint={sizeOf(file.size)} onRemove={onRemove} />
      </section>
    );
  }
  if (!first.data || known === undefined) {
    return (
      <div className={css.steps}>
        <FileRow name={file.name} hint={<Spinner>Reading the file</Spinner>} onRemove={onRemove} />
        <Reading file={file} />
      </div>
    );
  }
  if (known !== null && !isNew) {
    return (
      <Suspense fallback={<Spinner>Comparing the file with your library</Spinner>}>
        <SyncImport file={file} name={known} onNew={onNew} onRemove={onRemove} />
      </Suspense>
    );
  }

  const now = preview.preview?.data ?? first.data;
  /** Nothing says what its books are. */
  const isOpen = preview.asksStatus && preview.status === null;
  const send = (request: ImportRequest) =>
    importing.mutate(request, {
      onSuccess: (result) =>
        onDone({ kind: request.kind, fileName: file.name, result, withoutWords: now.withoutWords ?? 0 }),
    });
  return (
    <div className={css.steps} ref={frame} tabIndex={-1}>
      {importing.isPending ? (
        <>
          <FileRow name={file.name} hint={formatText(first.data)} />
          <Importing
            request={importing.variables}
            progress={importing.progress}
            books={now.books}
            onCancel={importing.cancel}
          />
        </>
      ) : (
        <>
          {wasCanceled(importing.error) && <Canceled />}
          {importing.isError && !wasCanceled(importing.error) && (
            <Failure
              sentence={serverMessage(importing.error, FAILED)}
              onRetry={() => send(importing.variables)}
              onAnother={onRemove}
            />
          )}
          <FileRow name={file.name} hint={formatText(first.data)} onRemove={onRemove} />
          <Choices preview={preview} now={now} isMissing={wasAsked && isOpen} onChange={importing.reset} />
          <ImportButtons
            onImport={(chosen) => {
              setWasAsked(true);
              if (chosen === "tbr" || !isOpen) send({ kind: chosen, file, fields: preview.fields });
            }}
            disabled={{ books: preview.lacks("books") !== null, tbr: preview.lacks("tbr") !== null }}
            primary={kind}
          />
        </>
      )}
    </div>
  );
}

/**
 * The name of the tracker whose file this is, if the library had imported one of its files when this one was chosen; null if it
 * had not, and undefined while that is unknown.
 */
function useKnownTracker(format: string | undefined): string | null | undefined {
  const [known, setKnown] = useState<string | null>();
  const name = format === undefined ? undefined : tracker(format);
  const { data, isError } = useQuery({ ...pastImportsQuery, enabled: Boolean(name) });
  if (known !== undefined || name === undefined) return known;
  if (name === null || isError) setKnown(null);
  else if (data) setKnown(data.some((past) => past.format === format && past.undone === null) ? name : null);
  return known;
}

interface ChoicesProps {
  preview: Preview;
  /** The newest answer about the file. */
  now: ImportPreview;
  /** The question what the books are must be answered first. */
  isMissing: boolean;
  onChange: () => void;
}

/** What will come in, what only the reader knows, and the folded choices with their presets. */
function Choices({ preview, now, isMissing, onChange }: ChoicesProps) {
  const { kind } = preview;
  const missing = preview.lacks(kind);
  const shown = preview.preview;
  const notes = previewNotes(now, preview.choices.keepsSameReads);
  return (
    <>
      {shown?.isError && (
        <Alert>
          <strong>The preview could not be made</strong>
          {errorMessage(shown.error, FAILED)}
          <div className={css.retry}>
            <Button size="compact" onClick={() => shown.refetch()}>
              Try again
            </Button>
          </div>
        </Alert>
      )}
      {shown?.isPending && <Spinner>Reading the file</Spinner>}
      {shown?.data && (
        <div role="status" aria-busy={shown.isFetching} data-old={shown.isPlaceholderData || undefined}>
          <Tally figures={figures(kind, now)} />
          {notes && <p className={css.notes}>{notes}</p>}
        </div>
      )}
      {kind === "books" && <CapNotice preview={now} />}
      <FileChoices preview={preview} now={now} isMissing={isMissing} onChange={onChange}>
        <FoldedErrors result={now} />
        {shown?.data && (
          <Fold title="Preview" holds={shownText(now)} act="Show">
            <SegmentedControl label="Preview" options={KINDS} value={kind} onChoose={preview.setKind} />
            <PreviewRows kind={kind} preview={now} />
          </Fold>
        )}
      </FileChoices>
      {missing && <p className="hint">Choose the {missing}’s column to see your books here.</p>}
    </>
  );
}
