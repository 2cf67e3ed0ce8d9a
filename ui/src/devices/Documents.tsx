import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { errorMessage } from "../kit/api/client";
import type { BookTitle, DocumentChange, ReadDocument } from "../kit/api/types";
import { counted, longDate } from "../kit/format";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { Fold, Folds } from "../kit/ui/Fold";
import { FocusedItems, Item } from "../kit/ui/Items";
import { toast } from "../kit/ui/toast";
import { titlesQuery } from "../library/books/api";
import { useDecide, useFinishOn, useNotYet, useReadAgainThere } from "./api";
import { CreateDialog, LinkDialog } from "./DocumentDialogs";
import { documentFacts, documentName, finishFacts, sorted } from "./model";

const failed = (error: unknown) =>
  toast({ title: "Error", description: errorMessage(error, "Please try again."), destructive: true });

/** What devices ask: finishes, further readings, removed days, and documents that the library does not know. */
export function Documents({ documents }: { documents: readonly ReadDocument[] }) {
  const { finishes, again, removed, waiting, ignored } = sorted(documents);
  const { data: titles } = useQuery(titlesQuery);
  const named = useMemo(() => new Map(titles?.map((book) => [book.id, book])), [titles]);
  const bookOf = (id: number | null) => (id === null ? undefined : named.get(id));
  return (
    <>
      {finishes.length > 0 && (
        <Block title="Finished?">
          <Rows documents={finishes}>
            {(document) => <Finished key={document.id} document={document} book={bookOf(document.bookId)} />}
          </Rows>
        </Block>
      )}
      {again.length > 0 && (
        <Block title="Reading it again?">
          <Rows documents={again}>
            {(document) => <Again key={document.id} document={document} book={bookOf(document.bookId)} />}
          </Rows>
        </Block>
      )}
      {removed.length > 0 && (
        <Block title="Removed on the device">
          <Rows documents={removed}>{(document) => <Removed key={document.id} document={document} />}</Rows>
        </Block>
      )}
      {waiting.length > 0 && (
        <Block
          title="What is this?"
          lead={`${counted(waiting.length, "document")} that your devices read and your library does not know`}
        >
          <Rows documents={waiting}>
            {(document) => (
              <Waiting
                key={document.id}
                document={document}
                suggested={bookOf(document.suggestion?.bookId ?? null)}
                titles={titles ?? []}
              />
            )}
          </Rows>
        </Block>
      )}
      {ignored.length > 0 && (
        <Folds>
          <Fold title={`${ignored.length} ignored`}>
            <Rows documents={ignored}>{(document) => <Ignored key={document.id} document={document} />}</Rows>
          </Fold>
        </Folds>
      )}
    </>
  );
}

interface RowsProps {
  documents: readonly ReadDocument[];
  children: (document: ReadDocument) => ReactNode;
}

function Rows({ documents, children }: RowsProps) {
  return (
    <FocusedItems rows={documents} empty={null}>
      {documents.map(children)}
    </FocusedItems>
  );
}

interface AskedProps {
  document: ReadDocument;
  /** Its book, once the titles are known. */
  book: BookTitle | undefined;
}

function Finished({ document, book }: AskedProps) {
  const finish = useFinishOn();
  const notYet = useNotYet();
  const { finish: asked, bookId } = document;
  if (!asked || bookId === null) return null;
  const done = () => toast({ title: `Finished on ${longDate(asked.day)}` });
  return (
    <Item
      title={book?.title ?? documentName(document)}
      hint={finishFacts(asked)}
      actions={
        <>
          <Button
            size="compact"
            variant="primary"
            busy={finish.isPending && "Saving..."}
            onClick={() => finish.mutate({ bookId, day: asked.day }, { onSuccess: done, onError: failed })}
          >
            Finished on {longDate(asked.day)}
          </Button>
          <Button
            size="compact"
            disabled={notYet.isPending}
            onClick={() => notYet.mutate(document.id, { onError: failed })}
          >
            Not yet
          </Button>
        </>
      }
    />
  );
}

function Again({ document, book }: AskedProps) {
  const { mutate, isPending } = useReadAgainThere();
  const { again } = document;
  if (!again) return null;
  return (
    <Item
      title={book?.title ?? documentName(document)}
      hint={`Read from the beginning since ${longDate(again.day)}`}
      actions={
        <Button
          size="compact"
          busy={isPending && "Starting..."}
          onClick={() => mutate({ id: document.id, ...again }, { onError: failed })}
        >
          Start a further read
        </Button>
      }
    />
  );
}

/** Decides about a document, and says where that failed. */
function useDecision(document: ReadDocument) {
  const { mutate, isPending } = useDecide();
  return {
    isPending,
    decide: (change: DocumentChange) => mutate({ id: document.id, ...change }, { onError: failed }),
  };
}

function Removed({ document }: { document: ReadDocument }) {
  const { decide, isPending } = useDecision(document);
  return (
    <Item
      title={documentName(document)}
      hint={`KOReader removed ${counted(document.removedThere, "day")} of it. They stay here until you say otherwise.`}
      actions={
        <Button size="compact" disabled={isPending} onClick={() => decide({ removeThere: true })}>
          Remove them here too
        </Button>
      }
    />
  );
}

interface WaitingProps {
  document: ReadDocument;
  suggested: BookTitle | undefined;
  titles: readonly BookTitle[];
}

function Waiting({ document, suggested, titles }: WaitingProps) {
  const { decide, isPending } = useDecision(document);
  const [doing, setDoing] = useState<"link" | "create">();
  const facts = documentFacts(document);
  const close = () => setDoing(undefined);
  return (
    <>
      <Item
        title={documentName(document)}
        hint={suggested ? `${facts}. Is this ${suggested.title} on your shelf?` : facts}
        actions={
          <>
            {suggested && (
              <Button
                size="compact"
                variant="primary"
                disabled={isPending}
                onClick={() => decide({ bookId: suggested.id })}
              >
                Yes, link it
              </Button>
            )}
            <Button size="compact" onClick={() => setDoing("link")}>
              Link to {suggested ? "another" : "a"} book
            </Button>
            <Button size="compact" onClick={() => setDoing("create")}>
              Make a book of it
            </Button>
            <Button size="compact" variant="quiet" disabled={isPending} onClick={() => decide({ ignore: true })}>
              Ignore
            </Button>
          </>
        }
      />
      {doing === "link" && <LinkDialog document={document} titles={titles} onClose={close} />}
      {doing === "create" && <CreateDialog document={document} onClose={close} />}
    </>
  );
}

function Ignored({ document }: { document: ReadDocument }) {
  const { decide, isPending } = useDecision(document);
  return (
    <Item
      title={documentName(document)}
      hint={documentFacts(document)}
      action={
        <Button size="compact" variant="quiet" disabled={isPending} onClick={() => decide({ ignore: false })}>
          Don’t ignore
        </Button>
      }
    />
  );
}
