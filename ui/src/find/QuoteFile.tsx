import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serverMessage } from "../kit/api/client";
import type { BookTitle, QuoteImport, Undone } from "../kit/api/types";
import { counted, whole } from "../kit/format";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button, LinkButton } from "../kit/ui/Button";
import { DialogItem } from "../kit/ui/Dialog";
import { NotFetched } from "../kit/ui/Fetched";
import { FileRow } from "../kit/ui/FileField";
import { Icon } from "../kit/ui/Icon";
import { useStepFocus } from "../kit/ui/useStepFocus";
import { BookPicker } from "../library/add-book/BookPicker";
import { titlesQuery } from "../library/books/api";
import { type ChosenFile, wasCanceled } from "../library/import/api";
import { UndoneReport } from "../library/import/history/UndoneReport";
import { UndoQuestion } from "../library/import/history/UndoQuestion";
import importCss from "../library/import/Import.module.css";
import { SendingFile, UnreadFile } from "../library/import/SentFile";
import css from "./Find.module.css";
import {
  addedText,
  type ChosenBooks,
  fitText,
  leftText,
  notAddedText,
  QUOTE_FORMATS,
  quoteFileQuery,
  type UnknownTitle,
  useImportQuotes,
} from "./quoteFile";

/** The titles that are shown at first. */
const FIRST = 10;

const NONE: ChosenBooks = new Map();

interface QuoteFileProps {
  file: ChosenFile;
  /** Puts the file away. */
  onClose: () => void;
}

/** A file with passages: which of them fit, the books of the others, the import, and its undo. */
export function QuoteFile({ file, onClose }: QuoteFileProps) {
  const [chosen, setChosen] = useState(NONE);
  const [undone, setUndone] = useState<Undone | "before" | null>(null);
  const first = useQuery(quoteFileQuery(file, NONE));
  const preview = useQuery(quoteFileQuery(file, chosen));
  const importing = useImportQuotes();
  const frame = useStepFocus<HTMLElement>(undone ? "undone" : importing.status, { onlyIfLost: true });
  const now = preview.data;

  let content = <UnreadFile file={file} preview={first} onRemove={onClose} />;
  if (undone) {
    content = (
      <>
        <UndoneReport undone={undone} />
        <div className={`form-foot ${importCss.actions}`}>
          <Button onClick={onClose}>Done</Button>
        </div>
      </>
    );
  } else if (importing.data) {
    content = <Result name={file.name} result={importing.data} onClose={onClose} onUndone={setUndone} />;
  } else if (importing.isPending) {
    content = (
      <SendingFile file={file} sending={importing}>
        Adding the quotes
      </SendingFile>
    );
  } else if (first.data) {
    const figures = now ?? first.data;
    const notes = notAddedText(figures);
    content = (
      <>
        {wasCanceled(importing.error) && <Alert kind="note">Canceled. Nothing was added.</Alert>}
        {importing.isError && !wasCanceled(importing.error) && (
          <Alert>{serverMessage(importing.error, "The quotes could not be added.")}</Alert>
        )}
        {preview.isError && (
          <NotFetched error={preview.error} onRetry={preview.refetch}>
            The file could not be read.
          </NotFetched>
        )}
        <FileRow name={file.name} hint={QUOTE_FORMATS[figures.format]} onRemove={onClose} />
        <div role="status" aria-busy={preview.isFetching} data-old={preview.isPlaceholderData || undefined}>
          <p>{fitText(figures)}</p>
          {notes && <p className={importCss.notes}>{notes}</p>}
        </div>
        {first.data.unknown.length > 0 && (
          <Unknown
            titles={first.data.unknown}
            chosen={chosen}
            onChoose={(books) => {
              importing.reset();
              setChosen(books);
            }}
          />
        )}
        <div className={`form-foot ${importCss.actions}`}>
          {(figures.added > 0 || preview.isFetching) && (
            <Button
              variant="primary"
              disabled={preview.isFetching || preview.isError}
              onClick={() => importing.mutate({ file, chosen })}
            >
              {`Add ${counted(figures.added, "quote")}`}
            </Button>
          )}
          <Button variant="quiet" onClick={onClose}>
            Choose another file
          </Button>
        </div>
      </>
    );
  }
  return (
    <section className={importCss.steps} aria-label="Quotes from a file" ref={frame} tabIndex={-1}>
      {content}
    </section>
  );
}

interface UnknownProps {
  titles: readonly UnknownTitle[];
  chosen: ChosenBooks;
  onChoose: (chosen: ChosenBooks) => void;
}

/** The titles that no book here has, each with the book that its reader chooses. */
function Unknown({ titles, chosen, onChoose }: UnknownProps) {
  const books = useQuery(titlesQuery);
  const [isAll, setAll] = useState(false);
  const [open, setOpen] = useState<UnknownTitle>();
  const choose = (title: UnknownTitle, book?: BookTitle) => {
    const next = new Map(chosen);
    if (book) next.set(title, book);
    else next.delete(title);
    onChoose(next);
  };
  return (
    <div>
      <ul className={css.unknown}>
        {(isAll ? titles : titles.slice(0, FIRST)).map((one) => (
          <li key={`${one.title} ${one.author}`}>
            <BookPicker
              label={
                <>
                  <bdi className="serif">{one.title}</bdi>{" "}
                  <span className="muted">
                    {one.author && <bdi>{one.author}</bdi>}
                    {one.author && ", "}
                    {counted(one.passages, "passage")}
                  </span>
                </>
              }
              none="Leave out"
              titles={books}
              chosen={chosen.get(one)?.id}
              isOpen={open === one}
              onOpenChange={(isOpen) => setOpen(isOpen ? one : undefined)}
              onChoose={(book) => choose(one, book)}
            />
            {chosen.has(one) && (
              <Button
                size="compact"
                variant="quiet"
                aria-label={`Leave out ${one.title}`}
                onClick={({ currentTarget }) => {
                  // This button goes; the choice beside it stays.
                  currentTarget.closest("li")?.querySelector("button")?.focus();
                  choose(one);
                }}
              >
                Leave out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {titles.length > FIRST && (
        <Button size="compact" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? "Show fewer" : `Show ${whole(titles.length - FIRST)} more`}
        </Button>
      )}
    </div>
  );
}

interface ResultProps {
  name: string;
  result: QuoteImport;
  onClose: () => void;
  onUndone: (undone: Undone | "before") => void;
}

function Result({ name, result, onClose, onUndone }: ResultProps) {
  const [isUndoing, setUndoing] = useState(false);
  const { operationId } = result;
  const notes = [notAddedText(result), leftText(result)].filter(Boolean).join(" ");
  return (
    <>
      <div role="status">
        <h2 className={`h2 ${importCss.done}`}>
          <Icon name="ok" />
          <span>{addedText(result)}</span>
        </h2>
        {notes && <p className={importCss.notes}>{notes}</p>}
      </div>
      <div className={`form-foot ${importCss.actions}`}>
        <LinkButton variant="primary" href={paths.search({ tab: "quotes" })} onClick={onClose}>
          Read them
        </LinkButton>
        {operationId !== null && (
          <Button className="push" variant="quiet" icon="undo" onClick={() => setUndoing(true)}>
            Undo
          </Button>
        )}
      </div>
      {isUndoing && operationId !== null && (
        <UndoQuestion
          id={operationId}
          title="Undo the import?"
          text="Its quotes are removed. Those that you changed since stay."
          onClose={() => setUndoing(false)}
          onDone={onUndone}
        >
          <DialogItem>
            <Icon name="file" />
            <div>
              <p className="label" dir="auto">
                {name}
              </p>
              <p className="hint">{addedText(result)}</p>
            </div>
          </DialogItem>
        </UndoQuestion>
      )}
    </>
  );
}
