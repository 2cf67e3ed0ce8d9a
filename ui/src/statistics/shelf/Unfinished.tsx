import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { api, errorMessage } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { Book, ShelfBook } from "../../kit/api/types";
import { useTip } from "../../kit/charts/useTip";
import { counted, whole } from "../../kit/format";
import { openPage } from "../../kit/origin";
import { useFontsReady } from "../../kit/spine/measure";
import { PartSpine } from "../../kit/spine/PartSpine";
import { Link } from "../../kit/ui/Link";
import { NotFetched } from "../../kit/ui/NotFetched";
import type { BooksQuery } from "../../library/books/list";
import type { ShelfColours } from "./colours";
import { BOARD, type ShelfHeight, type ShelfLayout } from "./layout";
import shelf from "./Shelf.module.css";
import css from "./Unfinished.module.css";
import {
  placeUnfinished,
  type UnfinishedBook,
  type UnfinishedPlaces,
  type UnfinishedSpine,
  unfinishedOf,
  unfinishedQuery,
  withRoom,
} from "./unfinished";

/** The most books that one answer of the server has. */
const MOST = 500;

/** The unfinished books of a filter. */
function booksOf(query: BooksQuery) {
  const asked = unfinishedQuery(query);
  return {
    queryKey: keys.bookList({ ...asked, unfinished: true }),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Book[]> =>
      asked ? (await api.get("/api/books", { query: { ...asked, limit: MOST }, signal })).data : [],
    select: unfinishedOf,
  };
}

interface UnfinishedProps {
  /** The filter of the shelf. */
  query: BooksQuery;
  /** The shelf of finished books. */
  layout: ShelfLayout;
  /** The number of shelves left out from the top. */
  skip: number;
  by: ShelfHeight;
  colours: ShelfColours;
  hrefOf: (book: ShelfBook) => string;
  asList: boolean;
  /** The stage of the shelf, over which the books are drawn. */
  stage: RefObject<HTMLElement | null>;
  /** Called with the number of books, and with the shelf that has room for them. */
  onPlaced: (placed: { count: number; layout: ShelfLayout } | null) => void;
}

/** Unfinished books behind a second bookend, in outline and filled as far as read. They are not on the ruler. */
export default function Unfinished(props: UnfinishedProps) {
  const { query, layout, by, hrefOf, asList, stage, onPlaced } = props;
  const { data: books, error, refetch } = useQuery(booksOf(query));
  const places = useMemo(() => books && placeUnfinished(layout, books, by), [layout, books, by]);
  const [focused, setFocused] = useState<number | null>(null);
  useEffect(() => {
    const isPlaced = places && places.spines.length > 0;
    onPlaced(isPlaced ? { count: places.spines.length, layout: withRoom(layout, places.boards.length) } : null);
  }, [layout, places, onPlaced]);
  useEffect(() => () => onPlaced(null), [onPlaced]);

  if (error) return <NotFetched onRetry={refetch}>{errorMessage(error, "The books could not be loaded.")}</NotFetched>;
  if (!books || !places) return null;
  if (books.length === 0) return <p className={`hint ${css.note}`}>No unfinished book matches the filters.</p>;
  return (
    <>
      {stage.current &&
        !asList &&
        createPortal(<Drawing {...props} places={places} focused={focused} />, stage.current)}
      <List books={books} hrefOf={hrefOf} visible={asList} onFocus={setFocused} />
      <p className={`hint ${css.note}`}>
        Unfinished books stand behind the bookend, filled as far as read. They are not on the ruler, as they count in no
        figure.
      </p>
    </>
  );
}

const tenth = (x: number) => Math.round(x * 10) / 10;

interface DrawingProps extends UnfinishedProps {
  places: UnfinishedPlaces;
  /** The id of the book that is lifted by focus. */
  focused: number | null;
}

/** The unfinished books over the drawing of the shelf. It is decorative, because the list has the same content. */
function Drawing({ layout, skip, places, colours, hrefOf, focused }: DrawingProps) {
  const fontsReady = useFontsReady();
  const top = layout.shelves[skip]?.y ?? 0;
  const { tip, show, hide } = useTip();
  const { spines, bookend, boards } = places;
  // A finger shows the tip with the first tap, and opens the book with the second.
  const tapped = useRef<number>(undefined);
  const showTip = useCallback(
    ({ book, state, x, base, width, height }: UnfinishedSpine, when: "hover" | "now") =>
      show(
        { x: layout.margin + x + width / 2, y: base - top - height - 8 },
        <>
          <div className={shelf.tipTitle} dir="auto">
            {book.title}
          </div>
          <div dir="auto">{book.author}</div>
          <div>
            {counted(book.wordCount, "word")}, {state}
          </div>
        </>,
        when,
      ),
    [layout.margin, top, show],
  );
  useEffect(() => {
    const lifted = spines.find(({ book }) => book.id === focused);
    if (lifted) showTip(lifted, "now");
    else hide();
  }, [focused, spines, showTip, hide]);
  return (
    <>
      <svg className={css.over} width={layout.width} height={layout.height} aria-hidden="true" focusable="false">
        <g transform={`translate(${layout.margin} ${tenth(-top)})`}>
          <path
            className={shelf.bookend}
            d={`M${tenth(bookend.x + 19)} ${tenth(bookend.base - layout.tallest * 0.78)}V${tenth(bookend.base)}`}
          />
          <text
            className={shelf.bookendText}
            transform={`translate(${tenth(bookend.x + 11)} ${tenth(bookend.base - 8)}) rotate(-90)`}
          >
            not finished
          </text>
          {boards.map((base) => (
            <rect key={base} className={shelf.board} y={tenth(base)} width={tenth(layout.board)} height={BOARD} />
          ))}
          {spines.map((spine) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list has the links
            <g
              key={spine.book.id}
              className={css.spine}
              data-on={spine.book.id === focused || undefined}
              onPointerEnter={({ pointerType }) => pointerType !== "touch" && showTip(spine, "hover")}
              onPointerLeave={({ pointerType }) => pointerType !== "touch" && hide()}
              onClick={({ nativeEvent }) => {
                const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch";
                if (!isTouch || tapped.current === spine.book.id) openPage(hrefOf(spine.book));
                else showTip(spine, "now");
                tapped.current = spine.book.id;
              }}
            >
              <PartSpine
                book={spine.book}
                x={spine.x}
                y={spine.base - spine.height}
                width={spine.width}
                height={spine.height}
                share={spine.share}
                blue={colours.blueOf(spine.book)}
                fontsReady={fontsReady}
                outline={css.outline}
              />
            </g>
          ))}
        </g>
      </svg>
      {tip}
    </>
  );
}

interface ListProps {
  books: readonly UnfinishedBook[];
  hrefOf: (book: ShelfBook) => string;
  /** Shown as an index, or hidden behind the drawing, for keyboards and screen readers. */
  visible: boolean;
  onFocus: (id: number | null) => void;
}

/** The unfinished books as links. Behind the drawing they are one stop of the Tab key, and the arrows move along the shelf. */
function List({ books, hrefOf, visible, onFocus }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [stop, setStop] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (visible || step === undefined) return;
    event.preventDefault();
    const links = list.current?.querySelectorAll("a") ?? [];
    links[Math.max(0, Math.min(links.length - 1, stop + step))]?.focus({ preventScroll: true });
  };
  return (
    <>
      {visible && <h3 className={`h3 ${css.heading}`}>Not finished</h3>}
      <ol
        ref={list}
        className={visible ? shelf.index : `vh ${shelf.behind}`}
        aria-label={`Unfinished books on the shelf.${visible ? "" : " Use the arrow keys to move along the shelf."}`}
        onKeyDown={onKeyDown}
        onBlur={() => onFocus(null)}
      >
        {books.map(({ book, state }, at) => (
          <li key={book.id}>
            <Link
              className={shelf.leader}
              href={hrefOf(book)}
              tabIndex={visible || at === Math.min(stop, books.length - 1) ? 0 : -1}
              onFocus={() => {
                setStop(at);
                onFocus(visible ? null : book.id);
              }}
            >
              {visible ? (
                <>
                  <span>
                    <span className="serif" dir="auto">
                      {book.title}
                    </span>
                    <span className="vh">, {book.author}</span> <span className="muted">{state}</span>
                  </span>
                  <span className={shelf.dots} aria-hidden="true" />
                  <span className={shelf.words}>
                    {whole(book.wordCount)}
                    <span className="vh"> words</span>
                  </span>
                </>
              ) : (
                `${book.title}, ${book.author}, ${state}, ${counted(book.wordCount, "word")}`
              )}
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}
