import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useZone } from "../../../access/zone";
import type { Operation, Undone } from "../../../kit/api/types";
import { counted, instantDate } from "../../../kit/format";
import { paths } from "../../../kit/paths";
import { BackLink } from "../../../kit/ui/BackLink";
import { Button, LinkButton } from "../../../kit/ui/Button";
import { DialogItem } from "../../../kit/ui/Dialog";
import { Empty } from "../../../kit/ui/Empty";
import { Fetched, NotFetched } from "../../../kit/ui/Fetched";
import { Icon } from "../../../kit/ui/Icon";
import { Page } from "../../../kit/ui/Page";
import { useStepFocus } from "../../../kit/ui/useStepFocus";
import { type KnownImport, leftOutRowsPath, pastImportsQuery, rejectedRowsPath } from "../api";
import { ownErrors, pastSummary, UNNAMED } from "../texts";
import { operationsQuery } from "./api";
import { CatalogueWords } from "./CatalogueWords";
import { Complete } from "./Complete";
import { Duplicates } from "./Duplicates";
import css from "./History.module.css";
import { iconOf, nameOf } from "./model";
import { UndoneReport } from "./UndoneReport";
import { UndoQuestion } from "./UndoQuestion";

/** An operation, and the import that it made. */
interface Entry {
  operation: Operation;
  past: KnownImport | undefined;
  name: string;
}

/** Imports and other changes of many books, newest first, each with its undo, below what the library could gain from them. */
export default function HistoryPage() {
  const operations = useInfiniteQuery(operationsQuery);
  const { data: imports } = useQuery(pastImportsQuery);
  const [asked, setAsked] = useState<Entry | null>(null);
  const [undone, setUndone] = useState<Undone | "before" | null>(null);
  const report = useStepFocus<HTMLDivElement>(undone ?? "");
  const zone = useZone();

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = operations;
  const entryOf = (operation: Operation): Entry => {
    const past = imports?.find(({ id }) => id === operation.importId);
    const name = operation.kind === "import" && past ? past.fileName || UNNAMED : nameOf(operation);
    return { operation, past, name };
  };
  return (
    <Page title="History">
      <BackLink href={paths.import()}>Import</BackLink>
      <div className="page-head">
        <h1 className="h1">History</h1>
      </div>
      <div className={`narrow ${css.parts}`}>
        {undone && (
          <div ref={report} tabIndex={-1} className={css.report}>
            <UndoneReport undone={undone} />
          </div>
        )}
        <Duplicates />
        {imports && imports.length > 0 && <Complete />}
        <CatalogueWords />
        <Fetched query={operations} waiting="Fetching the history" failed="The history could not be loaded.">
          {(all) =>
            all.length === 0 ? (
              <Empty title="Nothing yet" action={<LinkButton href={paths.import()}>Import</LinkButton>}>
                Imports and changes to many books at once are listed here, and can be undone.
              </Empty>
            ) : (
              <div>
                {byDay(all, zone).map(([day, some]) => (
                  <section key={day} className={css.day} aria-label={day}>
                    <h2 className={css.date}>{day}</h2>
                    <ul>
                      {some.map(entryOf).map((entry) => (
                        <Row key={entry.operation.id} {...entry} day={day} onUndo={() => setAsked(entry)} />
                      ))}
                    </ul>
                  </section>
                ))}
                {isFetchNextPageError && <NotFetched onRetry={fetchNextPage}>The rest could not be loaded.</NotFetched>}
                {hasNextPage && !isFetchNextPageError && (
                  <div className={css.more}>
                    <Button busy={isFetchingNextPage && "Fetching..."} onClick={() => fetchNextPage()}>
                      Show earlier ones
                    </Button>
                  </div>
                )}
                <p className={`hint ${css.more}`}>Imports stay in the list. Other changes can be undone for 90 days.</p>
              </div>
            )
          }
        </Fetched>
      </div>
      {asked && (
        <UndoQuestion
          id={asked.operation.id}
          title="Undo this?"
          text="What you changed by hand since stays."
          onClose={() => setAsked(null)}
          onDone={setUndone}
        >
          <DialogItem>
            <Icon name={iconOf(asked.operation)} />
            <div>
              <p className="label" dir="auto">
                {asked.name}
              </p>
              <p className="hint">
                {instantDate(asked.operation.createdAt, zone)}
                {asked.past && `: ${pastSummary(asked.past)}`}
              </p>
            </div>
          </DialogItem>
        </UndoQuestion>
      )}
    </Page>
  );
}

/** Operations by day in the reader's time zone. */
function byDay(operations: readonly Operation[], zone: string | undefined): [string, Operation[]][] {
  const days = new Map<string, Operation[]>();
  for (const operation of operations) {
    const day = instantDate(operation.createdAt, zone);
    days.set(day, [...(days.get(day) ?? []), operation]);
  }
  return [...days];
}

function Row({ operation, past, name, day, onUndo }: Entry & { day: string; onUndo: () => void }) {
  const zone = useZone();
  const { kind, undone } = operation;
  const addedNothing = kind === "import" && past !== undefined && past.imported + past.importedTbr === 0;
  return (
    <li className={css.row}>
      <Icon name={iconOf(operation)} />
      <div className={css.what}>
        <p className="label" dir="auto">
          {name}
        </p>
        {past && (
          <p className="hint">
            {kind === "import" && pastSummary(past)}
            {ownErrors(past) > 0 && (
              <Rows href={rejectedRowsPath(past.id)} label={`Download the rows of ${name} with errors`} />
            )}
            {past.leftOut > 0 && (
              <>
                {`${kind === "import" ? "." : ""} ${counted(past.leftOut, "row")} left out.`}
                <Rows href={leftOutRowsPath(past.id)} label={`Download the rows of ${name} that were left out`} />
              </>
            )}
          </p>
        )}
      </div>
      {undone !== null && <span className={`hint ${css.undone}`}>Undone {instantDate(undone, zone)}</span>}
      {undone === null && !addedNothing && (
        <Button variant="quiet" size="compact" aria-label={`Undo: ${name}, ${day}`} onClick={onUndo}>
          Undo
        </Button>
      )}
    </li>
  );
}

/** A link to rows of an import. */
function Rows({ href, label }: { href: string; label: string }) {
  return (
    <>
      {" "}
      <a href={href} download aria-label={label}>
        Download
      </a>
    </>
  );
}
