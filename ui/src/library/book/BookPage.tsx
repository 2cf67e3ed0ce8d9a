import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import { useToday } from "../../access/today";
import { ApiError, errorMessage } from "../../kit/api/client";
import type { Book, Work } from "../../kit/api/types";
import { counted, duration, whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { bluesByRank } from "../../kit/spine/rank";
import { BackLink } from "../../kit/ui/BackLink";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { lazyPart } from "../../kit/ui/lazyPart";
import { Page } from "../../kit/ui/Page";
import { Panel } from "../../kit/ui/Panel";
import { Spinner } from "../../kit/ui/Waiting";
import { FORMAT_WORDS } from "../../kit/words";
import { bookQuery, idOf, optionsQuery } from "../books/api";
import { currentRead } from "../books/read";
import { workQuery } from "../books/workQueries";
import { withNotedPlace } from "../outbox/mutation";
import { Outbox } from "../outbox/Outbox";
import { useQueue } from "../outbox/useOutbox";
import css from "./Book.module.css";
import { BookHead } from "./BookHead";
import { EditionFacts } from "./Facts";
import { Reads } from "./Reads";
import { Similar } from "./Similar";
import { isSlim, Stage } from "./Stage";
import { Texts } from "./Texts";

const EditPart = lazyPart(() => import("../add-book/EditPart").then((all) => all.EditPart));

/** A book with all its reads. The address names any of them. */
export default function BookPage() {
  const { id } = useParams<{ id: string }>();
  const bookId = idOf(id);
  return bookId === undefined ? <Missing /> : <BookById key={bookId} id={bookId} />;
}

function BookById({ id }: { id: number }) {
  const book = useQuery(bookQuery(id));
  const workId = book.data?.book.work;
  const work = useQuery({
    ...workQuery(workId ?? 0),
    enabled: workId !== undefined,
    // A join or a part gives the book another work: the page stays until that has arrived.
    placeholderData: keepPreviousData,
  });
  const error = book.error ?? (work.data ? null : work.error);
  if (error instanceof ApiError && error.status === 404) return <Missing />;
  if (work.data) return <Shown work={work.data} id={id} />;
  return (
    <Page title="Book" waiting={!error}>
      {!error && <Spinner>Fetching the book</Spinner>}
      {error && (
        <NotFetched onRetry={() => (book.error ? book.refetch() : work.refetch())}>
          {errorMessage(error, "The book could not be loaded.")}
        </NotFetched>
      )}
    </Page>
  );
}

function Missing() {
  return (
    <Page title="Book">
      <Empty
        title="This book is not in your library"
        action={<LinkButton href={paths.dashboard()}>Back to Dashboard</LinkButton>}
      >
        It may have been deleted.
      </Empty>
    </Page>
  );
}

function Shown({ work: stored, id }: { work: Work; id: number }) {
  const { pending, delivered } = useQueue();
  const noted = [...delivered, ...pending];
  const work = { ...stored, reads: stored.reads.map((one) => withNotedPlace(one, noted)) };
  const today = useToday();
  const { data: options } = useQuery(optionsQuery);
  const blue = bluesByRank(options?.genres.map(({ name }) => name) ?? [])(work.genres[0]);
  const read = currentRead(work.reads);
  if (!read) return <Missing />;
  return (
    <Page title={work.title}>
      <p className={css.crumb}>
        <BackLink href={paths.dashboard()}>Dashboard</BackLink>
      </p>
      <Outbox
        today={today}
        shows={(entry) => entry.kind !== "list" && work.reads.some((one) => one.id === entry.book.id)}
      />
      <article className={css.book} data-slim={isSlim(read) || undefined} aria-label={work.title}>
        <Stage book={read} blue={blue} />
        <BookHead work={work} read={read} blue={blue} today={today} />
        <div className={css.main}>
          <Reads work={work} shownId={id} blue={blue} today={today} />
          <Texts reads={work.reads} current={read} />
        </div>
        <div className={css.side}>
          <Edition read={read} />
          <Similar id={work.id} />
        </div>
      </article>
    </Page>
  );
}

function Edition({ read }: { read: Book }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Panel
      title="Edition"
      beside
      end={
        <Button
          variant="quiet"
          size="compact"
          icon="edit"
          aria-label="Edit the edition"
          aria-haspopup="dialog"
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
      }
    >
      <Leaders label="Edition">
        <Leader name="Words">{read.wordCount === 0 ? "not known" : whole(read.wordCount)}</Leader>
        {read.pages !== null && <Leader name="Pages">{whole(read.pages)}</Leader>}
        {read.minutes !== null && <Leader name="Length">{duration(read.minutes)}</Leader>}
        <Leader name="Format">{FORMAT_WORDS[read.format]}</Leader>
        <EditionFacts read={read} />
        {read.isbn && <Leader name="ISBN">{read.isbn}</Leader>}
      </Leaders>
      {read.pages !== null && read.wordCountSource === "pages" && (
        <p className="hint">The words are estimated from {counted(read.pages, "page")}.</p>
      )}
      {read.minutes !== null && read.wordCountSource === "minutes" && (
        <p className="hint">The words are estimated from {duration(read.minutes)}.</p>
      )}
      {isEditing && <EditPart read={read} part="edition" title="Edition" onClose={() => setEditing(false)} />}
    </Panel>
  );
}
