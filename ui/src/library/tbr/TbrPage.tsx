import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { forgetDraftsOf } from "../../access/drafts";
import { useToday } from "../../access/today";
import { useUser } from "../../access/viewer";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { TbrItem } from "../../kit/api/types";
import { counted, shortCounted } from "../../kit/format";
import { openPage } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Link } from "../../kit/ui/Link";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { MoreRows, showRows, useShownRows } from "../../kit/ui/MoreRows";
import { Page } from "../../kit/ui/Page";
import { SearchField } from "../../kit/ui/SearchField";
import { SortableList } from "../../kit/ui/SortableList";
import { toast } from "../../kit/ui/toast";
import { useRowFocus } from "../../kit/ui/useRowFocus";
import { Spinner } from "../../kit/ui/Waiting";
import { FROM_TABLE, useMedia } from "../../kit/useMedia";
import { waiting } from "../books/tbrItem";
import { Outbox } from "../outbox/Outbox";
import { pileQuery, tbrQuery, useRemoveItem, useReorder, useStartItem } from "./api";
import { EditItemDialog } from "./EditItemDialog";
import { Found } from "./Found";
import css from "./Tbr.module.css";
import { TbrPile } from "./TbrPile";
import { type ItemActions, TbrRow } from "./TbrRow";

const PickDialog = lazyDialog(() => import("./PickDialog").then((all) => all.PickDialog));

/** The to-be-read list in its reader's order. */
export default function TbrPage() {
  const { data: items, error, refetch } = useQuery(tbrQuery);
  const today = useToday();
  const [isPicking, setPicking] = useState(false);
  const empty = useRef<HTMLDivElement>(null);
  const hadItems = useRef(false);
  useEffect(() => {
    // The button that took the last book off the list is gone.
    if (hadItems.current && document.activeElement === document.body) empty.current?.querySelector("a")?.focus();
    hadItems.current = Boolean(items?.length);
  }, [items]);
  return (
    <Page title="To Be Read">
      <div className={css.page}>
        <div className="page-head">
          <div>
            <h1 className="h1">To Be Read</h1>
            {items && <p className="aside-text">{counted(items.length, "book")} in your TBR</p>}
          </div>
          {items && items.length > 0 && (
            <div className="page-head-actions">
              {items.length > 1 && (
                <Button aria-haspopup="dialog" onClick={() => setPicking(true)}>
                  Pick for me
                </Button>
              )}
              <AddLink />
            </div>
          )}
        </div>
        <Outbox today={today} shows={(entry) => entry.kind === "list"} />
        {!items && !error && <Spinner>Fetching your list</Spinner>}
        {!items && error && (
          <NotFetched error={error} onRetry={refetch}>
            The list could not be loaded.
          </NotFetched>
        )}
        {items?.length === 0 && (
          <div className={css.list} ref={empty}>
            <Empty title="Your TBR list is empty" action={<AddLink />}>
              Add books from the Add Book page
            </Empty>
          </div>
        )}
        {items && items.length > 0 && <List items={items} />}
        {isPicking && <PickDialog onClose={() => setPicking(false)} />}
      </div>
    </Page>
  );
}

function AddLink() {
  return (
    <LinkButton variant="primary" icon="plus" href={paths.addToTbr()}>
      Add to TBR
    </LinkButton>
  );
}

function failed(title: string) {
  return (error: Error) => toast({ title, description: errorMessage(error, "Please try again."), destructive: true });
}

/**
 * The actions on an item of the list. They are awaited instead of using the mutation's callbacks, which would report only the last of
 * several at once.
 */
function useActions(onEdit: (item: TbrItem) => void): ItemActions {
  const startItem = useStartItem();
  const removeItem = useRemoveItem();
  const { id: account } = useUser();
  const forget = ({ id }: TbrItem) => forgetDraftsOf(account, `tbr.${id}`, `add.tbr.${id}`);
  // A book needs an author, and the form asks for one.
  const openForm = (item: TbrItem) => openPage(paths.addBook({ tbr: item.id, status: "in-progress" }));
  return {
    onEdit,
    onStart: (item) => {
      if (item.author === null) {
        openForm(item);
        return;
      }
      const started = startItem.mutateAsync(item);
      started.then(
        ({ book }) => {
          forget(item);
          toast({ title: "Started reading", description: <Link href={paths.book(book.id)}>{item.title}</Link> });
        },
        (error) => (fieldsOf(error).author ? openForm(item) : failed("Failed to start reading")(error)),
      );
    },
    onRemove: (item) => {
      if (!window.confirm(`Delete "${item.title}" from your TBR?`)) return;
      const removed = removeItem.mutateAsync(item);
      removed.then(() => {
        forget(item);
        toast({ title: "Book removed from TBR" });
      }, failed("Failed to remove book"));
    },
  };
}

/** Lists with more items than this have a search field. */
const SEARCHED_FROM = 12;
/** The usual height of a row in px. */
const ROW = { wide: 64, narrow: 86 };

function List({ items }: { items: readonly TbrItem[] }) {
  const isWide = useMedia(FROM_TABLE);
  const { data: pile } = useQuery(pileQuery);
  const [sought, setSought] = useState("");
  const [edited, setEdited] = useState<TbrItem | null>(null);
  const actions = useActions(setEdited);
  const reorder = useReorder();
  const frame = useRef<HTMLDivElement>(null);
  const shown = useShownRows();
  useRowFocus(frame, items);
  // Awaited like the actions.
  const onReorder = (ids: number[]) => reorder.mutateAsync(ids).catch(failed("Failed to change the order"));
  const isLong = items.length > SEARCHED_FROM;
  const isSearched = isLong && sought.trim() !== "";
  return (
    <>
      <TbrPile items={items} />
      {isLong && (
        <SearchField
          look="framed"
          className={css.search}
          label="Search your TBR"
          placeholder="Search your TBR"
          value={sought}
          onSearch={setSought}
        />
      )}
      <div ref={frame} className={items.length > 99 ? css.long : undefined}>
        {isSearched ? (
          <Found items={items} sought={sought} onReorder={onReorder} {...actions} />
        ) : (
          <SortableList
            items={items}
            nameOf={(item) => item.title}
            onReorder={onReorder}
            className={css.list}
            rowClassName={css.row}
            rowHeight={isWide ? ROW.wide : ROW.narrow}
            shown={shown}
            onShow={showRows}
          >
            {(item, place) => <TbrRow item={item} place={place} isWide={isWide} {...actions} />}
          </SortableList>
        )}
      </div>
      {!isSearched && <MoreRows list={frame} shown={shown} total={items.length} />}
      <p className={`hint ${css.foot}`}>{waitingText(items, pile?.months ?? null)}</p>
      {edited && <EditItemDialog item={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

/** What waits, and how long it takes; `months` is null where the reader's pace is unknown. */
function waitingText(items: readonly TbrItem[], months: number | null): string {
  const { words, uncounted } = waiting(items);
  if (words === 0) return "None of these books has a word count yet.";
  const waits = words === 1 ? "1 word is waiting" : `${shortCounted(words, "word")} are waiting`;
  const time =
    months === null
      ? ""
      : `, ${months < 1 ? "less than a month" : `about ${counted(Math.round(months), "month")}`} at your pace`;
  return uncounted === 0
    ? `${waits}${time}.`
    : `${waits}${time}, not counting ${counted(uncounted, "book")} without a word count.`;
}
