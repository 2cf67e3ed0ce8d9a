import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useZone } from "../../access/zone";
import type { Operation, Undone } from "../../kit/api/types";
import { instantDate } from "../../kit/format";
import { paths } from "../../kit/paths";
import { BackLink } from "../../kit/ui/BackLink";
import { Button } from "../../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../../kit/ui/DefinitionRows";
import { DialogItem } from "../../kit/ui/Dialog";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Page } from "../../kit/ui/Page";
import { Spinner } from "../../kit/ui/Waiting";
import { changesQuery } from "./api";
import css from "./Changes.module.css";
import { Duplicates } from "./Duplicates";
import { kindName } from "./model";
import { UndoneReport } from "./UndoneReport";
import { UndoQuestion } from "./UndoQuestion";

/** Everything that touched many books at once, newest first, each with a button that takes it back. */
export default function ChangesPage() {
  const { data, isError, isFetchNextPageError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(changesQuery);
  const zone = useZone();
  const [asked, setAsked] = useState<Operation | null>(null);
  const [done, setDone] = useState<Undone | "before" | null>(null);
  const report = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done) report.current?.focus();
  }, [done]);
  return (
    <Page title="What has changed">
      <BackLink href={paths.import()}>Import</BackLink>
      <div className="page-head">
        <div>
          <h1 className="h1">What has changed</h1>
          <p className="aside-text">Everything that touched many books at once, newest first</p>
        </div>
      </div>
      <div className={css.narrow}>
        {done && (
          <div ref={report} tabIndex={-1} className={css.report}>
            <UndoneReport undone={done} />
          </div>
        )}
        <Duplicates />
        {!data && !isError && <Spinner>Fetching what has changed</Spinner>}
        {isError && !data && <NotFetched onRetry={refetch}>What has changed could not be loaded.</NotFetched>}
        {data?.length === 0 && (
          <Empty title="Nothing yet">
            Imports, device files, fill-ins and tag changes are listed here, and can be undone for 90 days.
          </Empty>
        )}
        {data && data.length > 0 && (
          <>
            <DefinitionRows>
              {data.map((one) => (
                <Row key={one.id} operation={one} onUndo={() => setAsked(one)} />
              ))}
            </DefinitionRows>
            {isFetchNextPageError && <NotFetched onRetry={fetchNextPage}>The rest could not be loaded.</NotFetched>}
            {hasNextPage && !isFetchNextPageError && (
              <div className={css.more}>
                <Button busy={isFetchingNextPage && "Fetching..."} onClick={() => fetchNextPage()}>
                  Show earlier ones
                </Button>
              </div>
            )}
            <p className={`hint ${css.foot}`}>Kept for 90 days. Erasing your data erases this too.</p>
          </>
        )}
      </div>
      {asked && (
        <UndoQuestion
          id={asked.id}
          title="Undo this?"
          text="The books go back to what they were. What you changed by hand since stays."
          onClose={() => setAsked(null)}
          onDone={setDone}
        >
          <DialogItem>
            <div>
              <p className="label" dir="auto">
                {nameOf(asked)}
              </p>
              <p className="hint">{instantDate(asked.createdAt, zone)}</p>
            </div>
          </DialogItem>
        </UndoQuestion>
      )}
    </Page>
  );
}

const nameOf = (operation: Operation) => operation.summary || kindName(operation);

function Row({ operation, onUndo }: { operation: Operation; onUndo: () => void }) {
  const { createdAt, undone } = operation;
  const zone = useZone();
  const day = instantDate(createdAt, zone);
  return (
    <DefinitionRow
      name={day}
      action={
        undone === null && (
          <Button size="compact" icon="undo" aria-label={`Undo: ${nameOf(operation)}, ${day}`} onClick={onUndo}>
            Undo
          </Button>
        )
      }
    >
      <div className={css.what}>
        <span dir="auto">{nameOf(operation)}</span>
        {undone !== null && <span className="hint">Undone {instantDate(undone, zone)}</span>}
      </div>
    </DefinitionRow>
  );
}
