import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useZone } from "../../access/zone";
import { errorMessage } from "../../kit/api/client";
import type { Refill, RefillField, Undone } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { BackLink } from "../../kit/ui/BackLink";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Checkbox } from "../../kit/ui/Choice";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Icon } from "../../kit/ui/Icon";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
import { Page } from "../../kit/ui/Page";
import { Spinner } from "../../kit/ui/Waiting";
import { UndoneReport } from "../changes/UndoneReport";
import { UndoQuestion } from "../changes/UndoQuestion";
import { fillInQuery, useFillIn } from "./api";
import { CatalogueWords } from "./CatalogueWords";
import css from "./FillIn.module.css";
import { exampleText, gainsText, hasGains, labelOf, notKeptText } from "./model";

/** Fills in what an earlier version did not read from imported files: a preview, one step, and its undo. */
export default function FillInPage() {
  const [done, setDone] = useState<Refill | null>(null);
  const [undone, setUndone] = useState<Undone | "before" | null>(null);
  const report = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done || undone) report.current?.focus();
  }, [done, undone]);
  return (
    <Page title="Fill in">
      <BackLink href={paths.import()}>Import</BackLink>
      <div className="page-head">
        <div>
          <h1 className="h1">Fill in</h1>
          <p className="aside-text">From the rows your imports left behind</p>
        </div>
      </div>
      <div className={css.parts} ref={report} tabIndex={-1}>
        {undone ? (
          <UndoneReport undone={undone} />
        ) : done ? (
          <Done report={done} onUndone={setUndone} />
        ) : (
          <Offer onDone={setDone} />
        )}
        <CatalogueWords />
      </div>
    </Page>
  );
}

/** What can be filled in, field by field, with examples. */
function Offer({ onDone }: { onDone: (report: Refill) => void }) {
  const [fields, setFields] = useState<readonly RefillField[] | null>(null);
  const { data, isError, isPlaceholderData, refetch } = useQuery(fillInQuery(fields));
  const fillIn = useFillIn();
  const zone = useZone();
  if (!data) {
    if (isError) return <NotFetched onRetry={refetch}>What can be filled in could not be loaded.</NotFetched>;
    return <Spinner>Reading your imports again</Spinner>;
  }
  if (!hasGains(data)) {
    return (
      <>
        <Empty title="Nothing to fill in" action={<LinkButton href={paths.import()}>Back to Import</LinkButton>}>
          {data.rows === 0
            ? "Nothing in your library came from an imported file."
            : "What your files said is all here."}
        </Empty>
        <NotKept report={data} />
      </>
    );
  }
  const chosen = fields ?? data.fields.filter((one) => one.chosen).map(({ field }) => field);
  const choose = (field: RefillField, on: boolean) =>
    setFields(on ? [...chosen, field] : chosen.filter((one) => one !== field));
  const busy = fillIn.isPending && `Filling in ${counted(data.books, "book")}...`;
  return (
    <>
      <p className={css.lead}>{gainsText(data, zone)} Books that you changed yourself keep what you wrote.</p>
      <div className={css.gains}>
        {data.fields.map(({ field, books, examples }) => (
          <div className={css.gain} key={field}>
            <Checkbox
              checked={books > 0 && chosen.includes(field)}
              disabled={fillIn.isPending || books === 0}
              onChange={(event) => choose(field, event.target.checked)}
            >
              {labelOf(field)}
            </Checkbox>
            <span className={css.count}>{books > 0 ? counted(books, "book") : "none"}</span>
            {examples.length > 0 && (
              <ul className={css.examples}>
                {examples.map((example) => (
                  <Example key={example.id} field={field} {...example} />
                ))}
              </ul>
            )}
          </div>
        ))}
      </div>
      {fillIn.isError && <Alert>{errorMessage(fillIn.error, "Nothing was filled in. Please try again.")}</Alert>}
      {isError && <NotFetched onRetry={refetch}>The number of books could not be loaded.</NotFetched>}
      <div className="form-foot">
        <Button
          variant="primary"
          size="large"
          busy={busy}
          disabled={isPlaceholderData || data.books === 0}
          onClick={() => fillIn.mutate(chosen, { onSuccess: onDone })}
        >
          {data.books === 0 ? "Choose what to fill in" : `Fill in ${counted(data.books, "book")}`}
        </Button>
        <span className="hint">One step, and one undo.</span>
      </div>
      <NotKept report={data} />
    </>
  );
}

type ExampleProps = { field: RefillField } & Refill["fields"][number]["examples"][number];

function Example({ field, title, before, after }: ExampleProps) {
  return (
    <li>
      <span className="serif" dir="auto">
        {title}
      </span>
      <span className={css.values}>
        <span dir="auto">{exampleText(field, before)}</span>
        <Icon name="right" small />
        <span className="vh">becomes</span>
        <span className={css.after} dir="auto">
          {exampleText(field, after)}
        </span>
      </span>
    </li>
  );
}

/** Rows that an earlier version skipped without keeping them. */
function NotKept({ report }: { report: Refill }) {
  const zone = useZone();
  const files = report.files.filter(({ notKept }) => notKept > 0);
  if (files.length === 0) return null;
  return (
    <Alert kind="note">
      {files.map((file) => (
        <p key={file.importId}>{notKeptText(file, zone)} Choose the file again, and only what is missing is added.</p>
      ))}
      <Link href={paths.import()}>Choose the file</Link>
    </Alert>
  );
}

function Done({ report, onUndone }: { report: Refill; onUndone: (undone: Undone | "before") => void }) {
  const [asked, setAsked] = useState(false);
  const { books, undoId } = report;
  const gained = report.fields.filter((one) => one.chosen && one.books > 0);
  return (
    <>
      <Alert kind="ok">
        <strong>Filled in</strong>
        {counted(books, "book")} {books === 1 ? "has" : "have"} gained something. Nothing that you wrote was changed.
      </Alert>
      <Leaders label="What was filled in">
        {gained.map(({ field, books }) => (
          <Leader key={field} name={labelOf(field)}>
            {counted(books, "book")}
          </Leader>
        ))}
      </Leaders>
      <div className="form-foot">
        {gained.some(({ field }) => field === "series") && (
          <LinkButton variant="primary" href={paths.series()}>
            See your series
          </LinkButton>
        )}
        <Link href={paths.changes()}>What has changed</Link>
        {undoId !== null && (
          <Button className="push" variant="quiet" icon="undo" onClick={() => setAsked(true)}>
            Undo
          </Button>
        )}
      </div>
      {asked && undoId !== null && (
        <UndoQuestion
          id={undoId}
          title="Undo the fill-in?"
          text="The fields that were filled are emptied again. What you changed by hand since stays."
          onClose={() => setAsked(false)}
          onDone={onUndone}
        />
      )}
    </>
  );
}
