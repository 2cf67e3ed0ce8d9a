import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serverMessage } from "../kit/api/client";
import type { DayField, ReadingReport } from "../kit/api/types";
import { paths } from "../kit/paths";
import { sizeOf } from "../kit/size";
import { Alert } from "../kit/ui/Alert";
import { Button, LinkButton } from "../kit/ui/Button";
import { AlertDialog, DialogItem } from "../kit/ui/Dialog";
import { FileRow } from "../kit/ui/FileField";
import { Folds } from "../kit/ui/Fold";
import { Icon } from "../kit/ui/Icon";
import { lazyPart } from "../kit/ui/lazyPart";
import { Spinner } from "../kit/ui/Waiting";
import { type ChosenFile, type RefusedFile, useUndoImport, wasCanceled } from "../library/import/api";
import { Columns } from "../library/import/Columns";
import css from "../library/import/Import.module.css";
import { SendingFile, UnreadFile } from "../library/import/SentFile";
import { Tally } from "../library/import/Tally";
import { filePreviewQuery, useImportReading } from "./fileApi";
import { type Columns as Chosen, DAY_FIELDS, fileFigures, fileNotes, fileText, formatName, lacking } from "./fileModel";

const QuoteFile = lazyPart(() => import("../find/QuoteFile").then((all) => all.QuoteFile));

/** What became of the file that was dropped or chosen last. */
export type FileStep =
  | RefusedFile
  | { at: "chosen"; file: ChosenFile }
  | { at: "quotes"; file: ChosenFile }
  | { at: "done"; name: string; report: ReadingReport }
  | { at: "undone" };

interface DeviceFileProps {
  step: FileStep;
  /** Undefined puts the file away. */
  onStep: (step: FileStep | undefined) => void;
}

/** A file from a device: what it brings, the button that takes it over, and the way back. */
export function DeviceFile({ step, onStep }: DeviceFileProps) {
  const remove = () => onStep(undefined);
  if (step.at === "quotes") return <QuoteFile key={step.file.id} file={step.file} onClose={remove} />;
  return (
    <section className={css.steps} aria-label="File from a device">
      {step.at === "refused" && (
        <>
          <Alert>{step.sentence}</Alert>
          <FileRow name={step.name} hint={sizeOf(step.size)} bad onRemove={remove} />
        </>
      )}
      {step.at === "chosen" && (
        <Preview
          key={step.file.id}
          file={step.file}
          onRemove={remove}
          onDone={(report) => onStep({ at: "done", name: step.file.name, report })}
        />
      )}
      {step.at === "done" && <Result {...step} onUndone={() => onStep({ at: "undone" })} onClose={remove} />}
      {step.at === "undone" && (
        <Alert kind="ok">
          <strong>Undone</strong>
          What the file brought is gone again. What you typed yourself stays.
        </Alert>
      )}
    </section>
  );
}

interface PreviewProps {
  file: ChosenFile;
  onRemove: () => void;
  onDone: (report: ReadingReport) => void;
}

function Preview({ file, onRemove, onDone }: PreviewProps) {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const preview = useQuery(filePreviewQuery(file, chosen));
  const importing = useImportReading();
  const { data } = preview;
  if (importing.isPending) {
    return (
      <SendingFile file={file} sending={importing}>
        Taking it over
      </SendingFile>
    );
  }
  if (!data) return <UnreadFile file={file} preview={preview} onRemove={onRemove} />;
  // A choice shows at once, before the file is read by it.
  const columns = (data.columns ?? []).map((column) => {
    const field = chosen.get(column.name);
    return field === undefined ? column : { ...column, field };
  });
  const missing = lacking(columns);
  const choose = (name: string, field: DayField | null) => {
    importing.reset();
    setChosen(new Map(columns.map((column) => [column.name, column.name === name ? field : column.field])));
  };
  const isNew = data.documents > 0;
  const isOld = preview.isPlaceholderData;
  const notes = fileNotes(data);
  return (
    <>
      {wasCanceled(importing.error) && <Alert kind="note">Canceled. Nothing was imported.</Alert>}
      {importing.isError && !wasCanceled(importing.error) && (
        <Alert>{serverMessage(importing.error, "The file could not be imported.")}</Alert>
      )}
      {preview.isError && <Alert>{serverMessage(preview.error, "The file could not be read.")}</Alert>}
      <FileRow name={file.name} hint={formatName(data)} onRemove={onRemove} />
      {!missing && (
        <div role="status" aria-busy={preview.isFetching}>
          {isOld && <Spinner>Reading the file</Spinner>}
          {!isOld && isNew && <Tally figures={fileFigures(data)} />}
          {!isOld && !isNew && <p>Nothing new: everything in this file is here already.</p>}
          {!isOld && notes && <p className={`hint ${css.notes}`}>{notes}</p>}
        </div>
      )}
      {columns.length > 0 && (
        <Folds>
          <Columns columns={columns} targets={DAY_FIELDS} known={false} missing={missing} onChoose={choose}>
            What you don’t use is left out.
          </Columns>
        </Folds>
      )}
      <div className={`form-foot ${css.actions}`}>
        {(isNew || isOld || missing) && (
          <Button
            variant="primary"
            disabled={missing !== null || preview.isFetching}
            onClick={() => importing.mutate({ file, columns: chosen }, { onSuccess: onDone })}
          >
            Take over
          </Button>
        )}
        <Button variant="quiet" onClick={onRemove}>
          Choose another file
        </Button>
      </div>
    </>
  );
}

interface ResultProps {
  name: string;
  report: ReadingReport;
  onUndone: () => void;
  onClose: () => void;
}

function Result({ name, report, onUndone, onClose }: ResultProps) {
  const [undoing, setUndoing] = useState(false);
  const { mutateAsync } = useUndoImport();
  const { importId } = report;
  const notes = fileNotes(report);
  return (
    <>
      <div role="status">
        <h2 className={`h2 ${css.done}`}>
          <Icon name="ok" />
          <span>Taken over</span>
        </h2>
        <p>{fileText(report)}.</p>
        {notes && <p className={`hint ${css.notes}`}>{notes}</p>}
      </div>
      <div className={`form-foot ${css.actions}`}>
        <LinkButton href={paths.reading()}>See the calendar</LinkButton>
        <Button variant="quiet" onClick={onClose}>
          Done
        </Button>
        {importId !== null && (
          <Button className="push" variant="quiet" icon="undo" onClick={() => setUndoing(true)}>
            Undo
          </Button>
        )}
      </div>
      {undoing && importId !== null && (
        <AlertDialog
          onClose={() => setUndoing(false)}
          title="Undo this file?"
          text="What it brought is removed. What you typed yourself stays."
          cancel="Keep it"
          confirm="Undo"
          busy="Undoing..."
          failed="The import could not be undone."
          action={async () => {
            await mutateAsync(importId);
            onUndone();
          }}
        >
          <DialogItem>
            <Icon name="file" />
            <div>
              <p className="label" dir="auto">
                {name}
              </p>
              <p className="hint">{fileText(report)}</p>
            </div>
          </DialogItem>
        </AlertDialog>
      )}
    </>
  );
}
