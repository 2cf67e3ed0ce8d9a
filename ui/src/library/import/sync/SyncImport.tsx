import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useZone } from "../../../access/zone";
import { serverMessage } from "../../../kit/api/client";
import type { SyncConflict, SyncEntry, SyncResult, Undone } from "../../../kit/api/types";
import { counted, instantDate, whole } from "../../../kit/format";
import { paths } from "../../../kit/paths";
import { Alert } from "../../../kit/ui/Alert";
import { Button, LinkButton } from "../../../kit/ui/Button";
import { Checkbox } from "../../../kit/ui/Choice";
import { FileRow } from "../../../kit/ui/FileField";
import { Leader, Leaders } from "../../../kit/ui/Leaders";
import { Step } from "../../../kit/ui/Step";
import { useStepFocus } from "../../../kit/ui/useStepFocus";
import { Spinner } from "../../../kit/ui/Waiting";
import type { ChosenFile } from "../api";
import { Failure } from "../Failure";
import importCss from "../Import.module.css";
import type { ImportFields } from "../model";
import { EmptyCells, RefusedRows } from "../RefusedRows";
import { syncPreviewQuery, useSync } from "./api";
import { Conflicts, keyOfConflict } from "./Conflicts";
import { KeptTitles } from "./KeptTitles";
import css from "./Sync.module.css";
import { changesOf, deletedText, entryText, goneText, resultText } from "./texts";
import { Undo, UndoneSync } from "./Undo";

const FAILED = "The file could not be compared with your library.";
/** The entries of a kind that are shown at first. */
const FIRST = 6;

interface SyncImportProps {
  file: ChosenFile;
  /** The name of the tracker. */
  name: string;
  fields: ImportFields;
  onBack: () => void;
  onRemove: () => void;
}

/** A newer file of a tracker: what has changed there, what is in conflict, and taking it over. */
export default function SyncImport({ file, name, fields, onBack, onRemove }: SyncImportProps) {
  const preview = useQuery(syncPreviewQuery(file, fields));
  const zone = useZone();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [undone, setUndone] = useState<Undone | null>(null);
  const syncing = useSync();
  const frame = useStepFocus<HTMLDivElement>(undone ? "undone" : syncing.status);
  // The button that led here is gone.
  useEffect(() => frame.current?.focus(), [frame]);
  const { data } = preview;

  const takeOver = (conflicts: readonly SyncConflict[]) => {
    const take: Record<string, string[]> = {};
    for (const conflict of conflicts) {
      if (!taken.has(keyOfConflict(conflict))) continue;
      const id = conflict.list ? `tbr-${conflict.id}` : String(conflict.id);
      take[id] = [...(take[id] ?? []), conflict.field];
    }
    syncing.mutate({ file, fields, take, leave: [...left] });
  };

  let content: ReactNode;
  if (undone) content = <UndoneSync undone={undone} />;
  else if (syncing.data) {
    content = <Done result={syncing.data} name={name} onAnother={onRemove} onUndone={setUndone} />;
  } else if (preview.isError && !data) {
    content = (
      <Failure sentence={serverMessage(preview.error, FAILED)} onRetry={preview.refetch} onAnother={onRemove} />
    );
  } else if (!data) content = <Spinner>Comparing the file with your library</Spinner>;
  else if (changesOf(data) + data.inConflict === 0) content = <Nothing result={data} onRemove={onRemove} />;
  else {
    const changes = changesOf(data) - data.entries.filter(({ row }) => left.has(row)).length + taken.size;
    content = (
      <>
        <FileRow
          name={file.name}
          hint={lastText(name, data, zone)}
          onRemove={syncing.isPending ? undefined : onRemove}
        />
        <Tally result={data} />
        <Entries entries={data.entries} left={left} onLeave={setLeft} />
        {data.conflicts.length > 0 && <Conflicts conflicts={data.conflicts} taken={taken} onTake={setTaken} />}
        <Others result={data} />
        {syncing.isError && (
          <Failure
            sentence={serverMessage(syncing.error, FAILED)}
            onRetry={() => syncing.mutate(syncing.variables)}
            onAnother={onRemove}
          />
        )}
        <div className={`form-foot ${importCss.actions}`}>
          <Button
            variant="primary"
            size="large"
            busy={syncing.isPending && "Taking over..."}
            onClick={() => takeOver(data.conflicts)}
          >
            {changes > 0 ? `Take over ${counted(changes, "change")}` : "Leave all as it is here"}
          </Button>
          <Button variant="quiet" disabled={syncing.isPending} onClick={onBack}>
            Import it instead
          </Button>
          <span className="hint">You can undo all of it afterwards.</span>
        </div>
      </>
    );
  }
  return (
    <div className={importCss.steps} ref={frame} tabIndex={-1}>
      {!syncing.data && (
        <section>
          <h2 className="h2">Bring it up to date</h2>
          <p className="muted">
            This library has seen a file from {name} before. Only what has changed there since is taken, and nothing is
            ever deleted here.
          </p>
        </section>
      )}
      {content}
    </div>
  );
}

function lastText(name: string, { lastImport }: SyncResult, zone: string | undefined): string {
  if (!lastImport) return `${name} export`;
  return `${name} export. The last one was taken over on ${instantDate(lastImport, zone)}`;
}

function Tally({ result, isDone }: { result: SyncResult; isDone?: boolean }) {
  const figures = [
    ["New", result.imported + result.importedTbr],
    ["Moved on", result.moved],
    ["Changed", result.changed],
    [isDone ? "Left as here" : "In conflict", result.inConflict],
    ["Gone there, kept here", result.gone],
  ] as const;
  return (
    <dl className={importCss.tally}>
      {figures.map(([figure, value]) => (
        <div key={figure}>
          <dt>{figure}</dt>
          <dd>{whole(value)}</dd>
        </div>
      ))}
    </dl>
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
    <Step title={title} side={counted(entries.length, "entry", "entries")}>
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
        <div className={importCss.more}>
          <Button size="compact" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${whole(entries.length - FIRST)} more`}
          </Button>
        </div>
      )}
    </Step>
  );
}

/** What stays as it is, and what could not be read. */
function Others({ result }: { result: SyncResult }) {
  const { gone, goneBooks, deletedHere } = result;
  return (
    <>
      {gone > 0 && (
        <Step title="Gone there">
          <p className="muted">{goneText(gone)}</p>
          <KeptTitles label="Gone there" entries={goneBooks.slice(0, FIRST)} note="kept" />
        </Step>
      )}
      {deletedHere > 0 && <Alert kind="note">{deletedText(deletedHere)}</Alert>}
      <RefusedRows result={result} />
      <EmptyCells result={result} />
    </>
  );
}

function Nothing({ result, onRemove }: { result: SyncResult; onRemove: () => void }) {
  const { unchanged, lastImport } = result;
  const zone = useZone();
  return (
    <>
      <Alert kind="ok">
        <strong>Your library knows all of this.</strong>
        {counted(unchanged, "book")}, and nothing has changed{lastImport && ` since ${instantDate(lastImport, zone)}`}.
      </Alert>
      <Others result={result} />
      <div className="form-foot">
        <Button onClick={onRemove}>Choose another file</Button>
        <LinkButton variant="quiet" href={paths.dashboard()}>
          Back to the dashboard
        </LinkButton>
      </div>
    </>
  );
}

interface DoneProps {
  result: SyncResult;
  name: string;
  onAnother: () => void;
  onUndone: (undone: Undone) => void;
}

function Done({ result, name, onAnother, onUndone }: DoneProps) {
  return (
    <section className={importCss.result} aria-label="Result">
      <Alert kind="ok">
        <strong>Up to date</strong>
        {resultText(result)}
      </Alert>
      <Tally result={result} isDone />
      <RefusedRows result={result} />
      <EmptyCells result={result} />
      <div className="form-foot">
        <LinkButton variant="primary" href={paths.dashboard()}>
          See the dashboard
        </LinkButton>
        <Button variant="quiet" onClick={onAnother}>
          Choose another file
        </Button>
        {result.undoId !== null && (
          <Undo
            id={result.undoId}
            name={`${name}, brought up to date`}
            summary={resultText(result)}
            onUndone={onUndone}
          />
        )}
      </div>
    </section>
  );
}
