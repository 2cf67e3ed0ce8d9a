import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { errorMessage } from "../kit/api/client";
import type { BookTitle, DocumentChange, ReadDocument } from "../kit/api/types";
import { titleKey } from "../kit/fold";
import { counted, longDate, whole } from "../kit/format";
import { paths } from "../kit/paths";
import { Banner } from "../kit/ui/Alert";
import { Block } from "../kit/ui/Block";
import { Button, IconButton, LinkButton } from "../kit/ui/Button";
import { FileButton } from "../kit/ui/FileButton";
import { Fold, Folds } from "../kit/ui/Fold";
import { FocusedItems, Item } from "../kit/ui/Items";
import { Link } from "../kit/ui/Link";
import { Menu, MenuItem } from "../kit/ui/Menu";
import { MoreRows, useShownRows } from "../kit/ui/MoreRows";
import { toast } from "../kit/ui/toast";
import { titlesQuery } from "../library/books/api";
import { useEpub } from "../library/epub/useEpub";
import { roomQuery, useDecide, useFinishOn, useNotYet, useReadAgainThere } from "./api";
import css from "./Devices.module.css";
import { CreateDialog, LinkDialog } from "./DocumentDialogs";
import { documentFacts, documentName, finishFacts, sorted } from "./model";

const failed = (error: unknown) =>
  toast({ title: "Error", description: errorMessage(error, "Please try again."), destructive: true });

interface DocumentsProps {
  documents: readonly ReadDocument[];
}

/** Finds the book of a document, once the titles are known. */
function useBooks() {
  const { data: titles } = useQuery(titlesQuery);
  const named = useMemo(() => new Map(titles?.map((book) => [book.id, book])), [titles]);
  return { titles: titles ?? [], bookOf: (id: number | null) => (id === null ? undefined : named.get(id)) };
}

/** What devices ask about books: finishes, further readings, and removed days. */
export function Questions({ documents }: DocumentsProps) {
  const { finishes, again, removed } = sorted(documents);
  const { bookOf } = useBooks();
  return (
    <>
      {finishes.length > 0 && (
        <Block title="Finished?">
          <Rows name="finishes" documents={finishes}>
            {(document, index) => (
              <Finished key={document.id} document={document} index={index} book={bookOf(document.bookId)} />
            )}
          </Rows>
          <p className={`hint ${css.after}`}>
            Rather not be asked? <Link href={paths.account("preferences")}>Finish by itself</Link> does it for you.
          </p>
        </Block>
      )}
      {again.length > 0 && (
        <Block title="Reading it again?">
          <Rows name="again" documents={again}>
            {(document, index) => (
              <Again key={document.id} index={index} document={document} book={bookOf(document.bookId)} />
            )}
          </Rows>
        </Block>
      )}
      {removed.length > 0 && (
        <Block title="Removed on the device">
          <Rows name="removed" documents={removed}>
            {(document, index) => (
              <Removed key={document.id} index={index} document={document} book={bookOf(document.bookId)} />
            )}
          </Rows>
        </Block>
      )}
    </>
  );
}

/** The documents that the library does not know. */
export function Unknown({ documents }: DocumentsProps) {
  const { waiting, ignored } = sorted(documents);
  const { titles, bookOf } = useBooks();
  return (
    <>
      {waiting.length > 0 && (
        <Block
          title="What is this?"
          lead={`${counted(waiting.length, "document")} that your devices read and your library does not know`}
        >
          <Room />
          <Rows name="waiting" documents={waiting}>
            {(document, index) => (
              <Waiting
                key={document.id}
                document={document}
                index={index}
                suggested={bookOf(document.suggestion?.bookId ?? null)}
                titles={titles}
              />
            )}
          </Rows>
        </Block>
      )}
      {ignored.length > 0 && (
        <Folds>
          <Fold title={`${ignored.length} ignored`}>
            <Rows name="ignored" documents={ignored}>
              {(document, index) => <Ignored key={document.id} index={index} document={document} />}
            </Rows>
          </Fold>
        </Folds>
      )}
    </>
  );
}

/** What a full plan means for the documents that wait. */
function Room() {
  const { data: full } = useQuery(roomQuery);
  if (!full) return null;
  return (
    <Banner
      action={
        <LinkButton size="compact" href={paths.pricing()}>
          Upgrade
        </LinkButton>
      }
    >
      Your plan holds {whole(full.books)} books; {counted(full.waiting, "document")}{" "}
      {full.waiting === 1 ? "waits" : "wait"} until there is room.
    </Banner>
  );
}

interface RowsProps {
  /** Tells the lists of the page apart. */
  name: string;
  documents: readonly ReadDocument[];
  children: (document: ReadDocument, index: number) => ReactNode;
}

function Rows({ name, documents, children }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useShownRows(name);
  return (
    <div ref={list}>
      <FocusedItems rows={documents} empty={null}>
        {documents.slice(0, shown).map(children)}
      </FocusedItems>
      <MoreRows list={list} name={name} shown={shown} total={documents.length} one="document" />
    </div>
  );
}

interface AskedProps {
  document: ReadDocument;
  /** Its place in a list that may be long. */
  index: number;
  /** Its book, once the titles are known. */
  book: BookTitle | undefined;
}

function Finished({ document, index, book }: AskedProps) {
  const finish = useFinishOn();
  const notYet = useNotYet();
  const { finish: asked, bookId } = document;
  if (!asked || bookId === null) return null;
  const done = () => toast({ title: `Finished on ${longDate(asked.day)}` });
  return (
    <Item
      index={index}
      title={<bdi className="serif">{book?.title ?? documentName(document)}</bdi>}
      hint={finishFacts(asked)}
      actions={
        <>
          <Button
            size="compact"
            busy={finish.isPending && "Saving..."}
            onClick={() => finish.mutate({ id: document.id, day: asked.day }, { onSuccess: done, onError: failed })}
          >
            Finished on {longDate(asked.day)}
          </Button>
          <Button
            size="compact"
            variant="quiet"
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

function Again({ document, index, book }: AskedProps) {
  const { mutate, isPending } = useReadAgainThere();
  const { again } = document;
  if (!again) return null;
  return (
    <Item
      index={index}
      title={<bdi className="serif">{book?.title ?? documentName(document)}</bdi>}
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

function Removed({ document, index, book }: AskedProps) {
  const { decide, isPending } = useDecision(document);
  return (
    <Item
      index={index}
      title={<bdi className="serif">{book?.title ?? documentName(document)}</bdi>}
      hint={`KOReader removed ${counted(document.removedThere, "day")} of it, and here ${document.removedThere === 1 ? "it stays" : "they stay"}.`}
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
  index: number;
  suggested: BookTitle | undefined;
  titles: readonly BookTitle[];
}

function Waiting({ document, index, suggested, titles }: WaitingProps) {
  const { decide, isPending } = useDecision(document);
  const [doing, setDoing] = useState<"link" | "create">();
  const file = useEpub((book) => {
    const isHere = titles.some(({ title }) => titleKey(title) === titleKey(book.title));
    setDoing(isHere ? "link" : "create");
  });
  const epub = file.epub?.read?.book;
  const close = () => {
    file.forget();
    setDoing(undefined);
  };
  const isNameless = document.title === null;
  const open = (chosen: File) => {
    if (/\.epub$/i.test(chosen.name)) file.choose(chosen);
    else toast({ title: "Please choose an EPUB", description: "Its name ends in .epub", destructive: true });
  };
  return (
    <>
      <Item
        index={index}
        title={<bdi className={isNameless ? undefined : "serif"}>{documentName(document)}</bdi>}
        hint={
          <>
            {documentFacts(document)}
            {suggested && (
              <span className={css.asked}>
                Is this <bdi className="serif">{suggested.title}</bdi> on your shelf?
              </span>
            )}
            {isNameless && !suggested && (
              <span className={css.asked} role="status">
                {file.epub?.read?.problem
                  ? "This EPUB can’t be read."
                  : "Turn on “Send book titles” there, or open the file here: it stays on this device."}
              </span>
            )}
          </>
        }
        actions={
          <>
            {suggested ? (
              <Button size="compact" disabled={isPending} onClick={() => decide({ bookId: suggested.id })}>
                Yes, link it
              </Button>
            ) : isNameless ? (
              <FileButton
                size="compact"
                accept=".epub"
                busy={file.epub && !file.epub.read && "Reading..."}
                onFile={open}
              >
                Choose the file
              </FileButton>
            ) : (
              <Button size="compact" onClick={() => setDoing("create")}>
                Make a book of it
              </Button>
            )}
            <Menu trigger={<IconButton icon="dots" label={`More for ${documentName(document)}`} compact />}>
              <MenuItem icon="book" onSelect={() => setDoing("link")}>
                Link to {suggested ? "another" : "a"} book
              </MenuItem>
              {(suggested || isNameless) && (
                <MenuItem icon="plus" onSelect={() => setDoing("create")}>
                  Make a book of it
                </MenuItem>
              )}
              <MenuItem icon="x" disabled={isPending} onSelect={() => decide({ ignore: true })}>
                Ignore
              </MenuItem>
            </Menu>
          </>
        }
        onFile={open}
      />
      {doing === "link" && <LinkDialog document={document} epub={epub} titles={titles} onClose={close} />}
      {doing === "create" && <CreateDialog document={document} epub={epub} onClose={close} />}
    </>
  );
}

function Ignored({ document, index }: Omit<AskedProps, "book">) {
  const { decide, isPending } = useDecision(document);
  return (
    <Item
      index={index}
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
