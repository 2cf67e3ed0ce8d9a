import { useState } from "react";
import { errorMessage } from "../../kit/api/client";
import type { ImportPreview } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Checkbox } from "../../kit/ui/Choice";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { Step } from "../../kit/ui/Step";
import { Spinner } from "../../kit/ui/Waiting";
import css from "./Import.module.css";
import { type Choices, type Column, FIRST_ROWS, type Kind } from "./model";
import { PreviewBooks, PreviewItems } from "./PreviewRows";
import { EmptyCells, RefusedRows } from "./RefusedRows";
import { FAILED, offers, previewNotes, previewSummary } from "./texts";
import type { Preview } from "./usePreview";

interface PreviewStepProps {
  /** Null while a required column is missing. */
  preview: Preview["preview"];
  missing: "title" | "author" | null;
  kind: Kind;
  onKind: (kind: Kind) => void;
  choices: Choices;
  onChoose: Preview["choose"];
  /** The column with the moods of books, if a known tracker's file has one. */
  moods: Column | undefined;
  onMoods: (areTags: boolean) => void;
}

const STATUSES = [
  { value: "undated", label: "Read" },
  { value: "tbr", label: "To be read" },
  { value: "in-progress", label: "Reading" },
] as const;

const KINDS = [
  { value: "books", label: "As Read Books" },
  { value: "tbr", label: "As TBR" },
] as const;

/** The preview of an import, before anything is written. */
export function PreviewStep(props: PreviewStepProps) {
  const { preview, missing, kind, onKind, choices, onChoose, moods, onMoods } = props;
  const data = preview?.data;
  const asked = data?.asks?.find(({ field }) => field === "status");
  return (
    <Step
      title="What will be saved"
      side={<SegmentedControl label="Preview" options={KINDS} value={kind} onChoose={onKind} />}
    >
      {missing && (
        <div className={css.nothing}>
          <p>Choose the {missing}’s column to see your books here.</p>
        </div>
      )}
      {preview?.isError && (
        <Alert>
          <strong>The preview could not be made</strong>
          {errorMessage(preview.error, FAILED)}
          <div className={css.retry}>
            <Button size="compact" onClick={() => preview.refetch()}>
              Try again
            </Button>
          </div>
        </Alert>
      )}
      {preview?.isPending && <Spinner>Reading the file</Spinner>}
      {data && (
        <div className={css.result} aria-busy={preview.isFetching} data-old={preview.isPlaceholderData || undefined}>
          {kind === "books" && asked && (
            <div>
              <p>This file doesn’t say. Are these books read, or to be read?</p>
              <SegmentedControl
                label="What these books are"
                options={STATUSES}
                value={STATUSES.find(({ value }) => value === (choices.status ?? asked.preset))?.value ?? "undated"}
                onChoose={(status) => onChoose({ status })}
              />
            </div>
          )}
          <Saved kind={kind} preview={data} keepsSameReads={choices.keepsSameReads} />
          {kind === "books" &&
            offers(data, choices).map(({ choice, text }) => (
              <Checkbox
                key={choice}
                checked={choices[choice]}
                onChange={(event) => onChoose({ [choice]: event.target.checked })}
              >
                {text}
              </Checkbox>
            ))}
          {moods && (
            <Checkbox checked={moods.field === "tags"} onChange={(event) => onMoods(event.target.checked)}>
              Make tags of the moods
            </Checkbox>
          )}
        </div>
      )}
    </Step>
  );
}

interface SavedProps {
  kind: Kind;
  preview: ImportPreview;
  keepsSameReads: boolean;
}

/** The first books and items as read, and notes about the others. */
function Saved({ kind, preview, keepsSameReads }: SavedProps) {
  const [all, setAll] = useState(false);
  const first = <Row,>(rows: readonly Row[]) => rows.slice(0, FIRST_ROWS);
  const books = all ? preview.books : first(preview.books);
  const items = all ? preview.tbr : first(preview.tbr);
  const more = [preview.books, preview.tbr].reduce((sum, rows) => sum + Math.max(0, rows.length - FIRST_ROWS), 0);
  const notes = previewNotes(preview, keepsSameReads);
  return (
    <>
      <div>
        <p className={css.summary} role="status">
          {previewSummary(kind, preview)}
        </p>
        {books.length > 0 && <PreviewBooks books={books} />}
        {items.length > 0 && (
          <>
            {kind === "books" && <h3 className={`label ${css.toTbr}`}>To your TBR</h3>}
            <PreviewItems items={items} />
          </>
        )}
        {more > 0 && (
          <div className={css.more}>
            <Button size="compact" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? "Show fewer" : `Show ${more} more`}
            </Button>
          </div>
        )}
      </div>
      {notes && <Alert kind="note">{notes}</Alert>}
      <RefusedRows result={preview} />
      <EmptyCells result={preview} />
    </>
  );
}
