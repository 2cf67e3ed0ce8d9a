import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useZone } from "../../../access/zone";
import { serverMessage } from "../../../kit/api/client";
import type { SyncConflict, SyncEntry, SyncResult, Undone } from "../../../kit/api/types";
import { counted, instantDate, whole } from "../../../kit/format";
import { paths } from "../../../kit/paths";
import { Alert } from "../../../kit/ui/Alert";
import { Button, LinkButton, TextButton } from "../../../kit/ui/Button";
import { Checkbox } from "../../../kit/ui/Choice";
import { DialogItem } from "../../../kit/ui/Dialog";
import { FileRow } from "../../../kit/ui/FileField";
import { Fold, Folds } from "../../../kit/ui/Fold";
import { Icon } from "../../../kit/ui/Icon";
import { Leader, Leaders } from "../../../kit/ui/Leaders";
import { useStepFocus } from "../../../kit/ui/useStepFocus";
import { Spinner } from "../../../kit/ui/Waiting";
import { type ChosenFile, wasCanceled } from "../api";
import { Failure } from "../Failure";
import { FileChoices } from "../FileChoices";
import { UndoneReport } from "../history/UndoneReport";
import { UndoQuestion } from "../history/UndoQuestion";
import importCss from "../Import.module.css";
import { Canceled, Importing } from "../Importing";
import { FoldedErrors } from "../RefusedRows";
import { Tally } from "../Tally";
import { usePreview } from "../usePreview";
import { syncPreviewQuery, useSync } from "./api";
import { Conflicts, keyOfConflict } from "./Conflicts";
import css from "./Sync.module.css";
import { changesOf, deletedText, entryText, leftText, RULES, resultText } from "./texts";

const FAILED = "The file could not be compared with your library.";
/** The entries of a kind that are shown at first. */
const FIRST = 6;

interface SyncImportProps {
  file: ChosenFile;
  /** The name of the tracker. */
  name: string;
  /** Imports the file as new instead. */
  onNew: () => void;
  onRemove: () => void;
}

/** A newer file of a tracker: what has changed there, what is in conflict, the choices about it, and taking it over. */
export default function SyncImport({ file, name, onNew, onRemove }: SyncImportProps) {
  const preview = usePreview(file, "books");
  const { status } = preview.choices;
  const fields = status ? { ...preview.fields, status } : preview.fields;
  const sync = useQuery(syncPreviewQuery(file, fields));
  const zone = useZone();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [wasAsked, setWasAsked] = useState(false);
  const [undone, setUndone] = useState<Undone | "before" | null>(null);
  const syncing = useSync();
  const frame = useStepFocus<HTMLDivElement>(undone ? "undone" : syncing.status, { onlyIfLost: true });
  // The field that the file was chosen with is gone.
  useEffect(() => frame.current?.focus(), [frame]);
  const { data } = sync;
  const now = preview.preview?.data ?? preview.first.data;
  /** Nothing says what its books are. */
  const isOpen = preview.asksStatus && preview.status === null;

  const takeOver = (conflicts: readonly SyncConflict[]) => {
    setWasAsked(true);
    if (isOpen) return;
    const take: Record<string, string[]> = {};
    for (const conflict of conflicts) {
      if (!taken.has(keyOfConflict(conflict))) continue;
      const id = conflict.list ? `tbr-${conflict.id}` : String(conflict.id);
      take[id] = [...(take[id] ?? []), conflict.field];
    }
    syncing.mutate({ file, fields, take, leave: [...left] });
  };

  let content: ReactNode;
  if (undone) content = <UndoneReport undone={undone} />;
  else if (syncing.data) {
    content = <Done result={syncing.data} name={name} onAnother={onRemove} onUndone={setUndone} />;
  } else if (syncing.isPending) {
    content = (
      <>
        <FileRow name={file.name} hint={`${name} export`} />
        <Importing request={syncing.variables} progress={syncing.progress} books={[]} onCancel={syncing.cancel} />
      </>
    );
  } else if (!data && !sync.isError) content = <Spinner>Comparing the file with your library</Spinner>;
  else {
    const hasChanges = data !== undefined && changesOf(data) + data.inConflict > 0;
    const isTaken = (conflict: SyncConflict) => taken.has(keyOfConflict(conflict));
    const changes =
      data &&
      changesOf(data) - data.entries.filter(({ row }) => left.has(row)).length + data.conflicts.filter(isTaken).length;
    content = (
      <>
        {hasChanges && (
          <section>
            <h2 className="h2">Bring it up to date</h2>
            <p className="muted">
              You’ve imported from {name} before. Only what changed there
              {data.lastImport && ` since ${instantDate(data.lastImport, zone)}`} is applied.
            </p>
          </section>
        )}
        <FileRow name={file.name} hint={`${name} export`} onRemove={onRemove} />
        {sync.isError && (
          <Failure sentence={serverMessage(sync.error, FAILED)} onRetry={sync.refetch} onAnother={onRemove} />
        )}
        {data && (
          <div aria-busy={sync.isFetching} data-old={sync.isPlaceholderData || undefined}>
            {hasChanges ? (
              <Tally
                figures={[
                  ["New", data.imported + data.importedTbr],
                  ["Moved on", data.moved],
                  ["Changed", data.changed],
                ]}
              />
            ) : (
              <Nothing result={data} />
            )}
          </div>
        )}
        {data && data.conflicts.length > 0 && <Conflicts conflicts={data.conflicts} taken={taken} onTake={setTaken} />}
        {now && (
          <FileChoices
            preview={preview}
            now={now}
            isMissing={wasAsked && isOpen}
            onChange={syncing.reset}
            before={
              data && (
                <>
                  <Entries entries={data.entries} left={left} onLeave={setLeft} />
                  <Kept result={data} />
                </>
              )
            }
          >
            {hasChanges && (
              <Fold title="How it decides" holds="what you changed here stays" act="Show">
                <Leaders>
                  {RULES.map(([change, result]) => (
                    <Leader key={change} name={change}>
                      {result}
                    </Leader>
                  ))}
                </Leaders>
              </Fold>
            )}
          </FileChoices>
        )}
        {wasCanceled(syncing.error) && <Canceled />}
        {syncing.isError && !wasCanceled(syncing.error) && (
          <Failure
            sentence={serverMessage(syncing.error, FAILED)}
            onRetry={() => syncing.mutate(syncing.variables)}
            onAnother={onRemove}
          />
        )}
        {changes !== undefined && (
          <div className={`form-foot ${importCss.actions}`}>
            {hasChanges ? (
              <Button
                variant="primary"
                size="large"
                disabled={sync.isPlaceholderData}
                onClick={() => takeOver(data.conflicts)}
              >
                {changes > 0 ? `Apply ${counted(changes, "change")}` : "Leave all as it is here"}
              </Button>
            ) : (
              <>
                <Button onClick={onRemove}>Choose another file</Button>
                <LinkButton variant="quiet" href={paths.dashboard()}>
                  Go to your dashboard
                </LinkButton>
              </>
            )}
          </div>
        )}
        <AsNew onNew={onNew} />
      </>
    );
  }
  return (
    <div className={importCss.steps} ref={frame} tabIndex={-1}>
      {content}
    </div>
  );
}

/** The other thing that a known tracker's file can be for. */
function AsNew({ onNew }: { onNew: () => void }) {
  return (
    <p className={css.asNew}>
      Someone else’s file, or another account? <TextButton onClick={onNew}>Import it as new</TextButton>
    </p>
  );
}

const KINDS: readonly { kinds: readonly SyncEntry["kind"][]; title: string }[] = [
  { kinds: ["new", "listed"], title: "New" },
  { kinds: ["moved"], title: "Moved on" },
  { kinds: ["changed"], title: "Changed" },
];

interface EntriesProps {
  entries: readonly SyncEntry[];
  left: ReadonlySet<number>;
  onLeave: (left: ReadonlySet<number>) => void;
}

/** The rows that are taken over, by kind. Each can be left out. */
function Entries({ entries, left, onLeave }: EntriesProps) {
  return KINDS.map(({ kinds, title }) => {
    const some = entries.filter(({ kind }) => kinds.includes(kind));
    return some.length > 0 && <Kind key={title} title={title} entries={some} left={left} onLeave={onLeave} />;
  });
}

function Kind({ title, entries, left, onLeave }: EntriesProps & { title: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.slice(0, FIRST);
  const choose = (row: number, isTaken: boolean) => {
    const next = new Set(left);
    if (isTaken) next.delete(row);
    else next.add(row);
    onLeave(next);
  };
  return (
    <Fold title={title} holds={counted(entries.length, "book")} act="Show">
      <Leaders label={title}>
        {shown.map((entry) => (
          <Leader
            // A row may bring several reads of a book, on different days.
            key={`${entry.row} ${entry.kind} ${entry.completed}`}
            className={css.entry}
            name={
              <Checkbox checked={!left.has(entry.row)} onChange={(event) => choose(entry.row, event.target.checked)}>
                <span className="serif" dir="auto">
                  {entry.title}
                </span>{" "}
                <span className="muted" dir="auto">
                  {entry.author}
                </span>
              </Checkbox>
            }
          >
            {entryText(entry)}
          </Leader>
        ))}
      </Leaders>
      {entries.length > FIRST && (
        <div>
          <Button size="compact" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${whole(entries.length - FIRST)} more`}
          </Button>
        </div>
      )}
    </Fold>
  );
}

/** What stays as it is here, and what could not be read. */
function Kept({ result }: { result: SyncResult }) {
  const { gone, goneBooks, deletedHere } = result;
  return (
    <>
      {gone > 0 && (
        <Fold title="Removed there" holds={`${counted(gone, "book")}, kept here`} act="Show">
          <ul>
            {goneBooks.slice(0, FIRST).map(({ id, title }) => (
              <li key={`${id} ${title}`} className="serif" dir="auto">
                {title}
              </li>
            ))}
          </ul>
          {gone > FIRST && <p className="hint">and {whole(gone - FIRST)} more</p>}
        </Fold>
      )}
      {deletedHere > 0 && (
        <Fold title="Deleted here" holds={counted(deletedHere, "book")}>
          <p className="muted">{deletedText(deletedHere)}</p>
        </Fold>
      )}
      <FoldedErrors result={result} />
    </>
  );
}

function Nothing({ result: { unchanged, lastImport } }: { result: SyncResult }) {
  const zone = useZone();
  return (
    <Alert kind="ok">
      <strong>Everything in this file is already here.</strong>
      {counted(unchanged, "book")}, and nothing has changed{lastImport && ` since ${instantDate(lastImport, zone)}`}.
    </Alert>
  );
}

interface DoneProps {
  result: SyncResult;
  name: string;
  onAnother: () => void;
  onUndone: (undone: Undone | "before") => void;
}

function Done({ result, name, onAnother, onUndone }: DoneProps) {
  const [asked, setAsked] = useState(false);
  const { inConflict, undoId } = result;
  const summary = resultText(result);
  return (
    <section className={importCss.result} aria-label="Result">
      <div role="status">
        <h2 className={`h2 ${importCss.done}`}>
          <Icon name="ok" />
          <span>Up to date: {summary}</span>
        </h2>
      </div>
      {inConflict > 0 && <p className="muted">{leftText(inConflict)}</p>}
      <Folds>
        <FoldedErrors result={result} />
      </Folds>
      <div className={`form-foot ${importCss.actions}`}>
        <LinkButton variant="primary" href={paths.dashboard()}>
          Go to your dashboard
        </LinkButton>
        <Button variant="quiet" onClick={onAnother}>
          Import another file
        </Button>
        {undoId !== null && (
          <Button className="push" variant="quiet" icon="undo" onClick={() => setAsked(true)}>
            Undo
          </Button>
        )}
      </div>
      {asked && undoId !== null && (
        <UndoQuestion
          id={undoId}
          title="Undo all of it?"
          text="This removes what came with the file. What you changed since stays."
          onClose={() => setAsked(false)}
          onDone={onUndone}
        >
          <DialogItem>
            <Icon name="file" />
            <div>
              <p className="label">{name}, brought up to date</p>
              <p className="hint">{summary}</p>
            </div>
          </DialogItem>
        </UndoQuestion>
      )}
    </section>
  );
}
