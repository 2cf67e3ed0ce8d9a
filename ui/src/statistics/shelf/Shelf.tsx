import { memo, type PointerEvent as ReactPointerEvent, useCallback, useId, useMemo, useState } from "react";
import type { ShelfBook, Stats } from "../../kit/api/types";
import { BASE } from "../../kit/base";
import { useTip } from "../../kit/charts/useTip";
import { useWidth } from "../../kit/charts/useWidth";
import { whole } from "../../kit/format";
import { openPage } from "../../kit/origin";
import { useFontsReady } from "../../kit/spine/measure";
import { Swatch } from "../../kit/spine/Swatch";
import { Button } from "../../kit/ui/Button";
import { useDebouncedTransition } from "../../kit/useDebouncedTransition";
import { useRemembered } from "../../kit/useRemembered";
import type { BooksQuery } from "../../library/books/list";
import type { ShelfColours } from "./colours";
import { EmptyShelf } from "./EmptyShelf";
import { layoutShelf, neighbour, type ShelfHeight } from "./layout";
import css from "./Shelf.module.css";
import { ShelfDrawing } from "./ShelfDrawing";
import { described, ShelfList } from "./ShelfList";
import { ShelfTip } from "./ShelfTip";
import { Unfinished, UnfinishedTip } from "./Unfinished";
import { type UnfinishedBook, useUnfinishedBooks } from "./unfinished";

const TITLE = "The shelf";

interface ShelfProps {
  title?: string;
  /** Finished books, those without a date first, then oldest first. */
  books: readonly ShelfBook[];
  /** The number of older books that are not shown. */
  hidden: number;
  /** Words of these earlier books, from which the ruler goes on. */
  start?: number;
  /** The choices for what blue stands for; the first is the default. */
  colours: readonly [ShelfColours, ...ShelfColours[]];
  /** The address that opens a book; without it the shelf is read-only. */
  hrefOf?: (book: ShelfBook) => string;
  /** The filter of the books: with it, unfinished books can be shown behind the finished ones. */
  query?: BooksQuery;
  /** The address behind the dashed place after the last book; without it there is no such place. */
  addHref?: string;
  /** The reader of a book, on a shelf of several readers. */
  readerOf?: (book: ShelfBook) => string | undefined;
}

/** The finished books as spines on boards that are rulers in words, or as an index. */
const Shelf = memo(function Shelf(props: ShelfProps) {
  const { title = TITLE, books, hidden, start = 0, colours, hrefOf, query, addHref, readerOf } = props;
  const heading = useId();
  const [stage, width] = useWidth<HTMLDivElement>();
  const fontsReady = useFontsReady();
  const [height, setHeight] = useState<ShelfHeight>("rating");
  const [colourName, setColourName] = useState(colours[0].name);
  const [asList, setAsList] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const [focused, setFocused] = useState<number | null>(null);
  const [hasUnfinished, setUnfinished] = useRemembered(STORED_AS);
  const unfinished = useUnfinishedBooks(query, query !== undefined && hasUnfinished);
  const behind = (hasUnfinished && unfinished.data) || NONE;
  const { tip, show, hide } = useTip();

  const colour = colours.find(({ name }) => name === colourName) ?? colours[0];
  const slot = addHref !== undefined && !hasUnfinished;
  const layout = useMemo(
    () => layoutShelf(books, width, { height, slot, start, unfinished: behind }),
    [books, width, height, slot, start, behind],
  );
  const atOnce = width < 560 ? 3 : 5;
  const skip = showsAll ? 0 : Math.max(0, layout.shelves.filter(({ spines }) => spines.length > 0).length - atOnce);

  const known = useMemo(() => {
    const spines = layout.shelves.flatMap((shelf, row) =>
      [...shelf.spines, ...shelf.unfinished].map((spine) => ({ spine, shelf, row })),
    );
    return new Map(spines.map((one) => [one.spine.book.id, one]));
  }, [layout]);

  /** Shows the tip above a book's spine, which is 8 px higher while it is lifted. */
  const showTip = useCallback(
    (id: number, when: "hover" | "now") => {
      const found = known.get(id);
      if (!found) return;
      const { spine, shelf } = found;
      const shift = layout.shelves[skip]?.y ?? 0;
      const place = { x: layout.margin + spine.x + spine.width / 2, y: shelf.base - shift - spine.height - 8 };
      const part = behind.find(({ book }) => book.id === id);
      const tip = part ? (
        <UnfinishedTip {...part} />
      ) : (
        <ShelfTip book={spine.book} colour={colour.nameOf(spine.book)} />
      );
      show(place, tip, when);
    },
    [known, layout, skip, behind, colour, show],
  );

  const neighbourOf = useCallback((id: number, way: "up" | "down") => neighbour(layout, id, way), [layout]);
  // The list has as many rows as the shelf has books: a tip that shows or hides must not render it again.
  const onFocus = useCallback(
    (id: number) => {
      setFocused(id);
      if ((known.get(id)?.row ?? 0) < skip) setShowsAll(true);
      bringIntoView(stage.current?.querySelector(`[data-id="${id}"]`));
      showTip(id, "now");
    },
    [known, skip, showTip, stage],
  );
  const onBlur = useCallback(() => {
    setFocused(null);
    hide();
  }, [hide]);

  const pointed = usePointed({
    onPoint: (id, touch) => (id === null ? hide() : showTip(id, touch ? "now" : "hover")),
    onOpen: (id) => {
      const book = known.get(id)?.spine.book;
      if (book && hrefOf) openPage(hrefOf(book));
    },
    onAdd: () => addHref && openPage(addHref),
  });

  return (
    <section className={css.shelf} aria-labelledby={heading}>
      <div className={css.head}>
        <h2 className="h2" id={heading}>
          {title}
        </h2>
        <p className={css.key}>
          Thickness is words, height is{" "}
          <InlineSelect label="Spine height shows" value={height} options={["rating", "format"]} onChange={setHeight} />
          , blue is{" "}
          <InlineSelect
            label="Spine color shows"
            value={colour.name}
            options={colours.map(({ name }) => name)}
            onChange={setColourName}
          />
          .
        </p>
      </div>
      <div className={css.row}>
        <Legend colour={colour} books={books} />
        <div className={css.asList}>
          {query && (
            <Button
              variant="quiet"
              size="compact"
              icon="bookmark"
              aria-pressed={hasUnfinished}
              onClick={() => setUnfinished(!hasUnfinished)}
            >
              Unfinished{behind.length > 0 && `, ${behind.length}`}
            </Button>
          )}
          <Button variant="quiet" size="compact" icon="list" aria-pressed={asList} onClick={() => setAsList(!asList)}>
            List
          </Button>
        </div>
      </div>
      {hidden > 0 && <p className={css.hidden}>and {whole(hidden)} earlier books</p>}
      {skip > 0 && !asList && (
        <div className={css.earlier}>
          <Button variant="quiet" size="compact" icon="up" onClick={() => setShowsAll(true)}>
            Show {skip} earlier {skip === 1 ? "shelf" : "shelves"}
          </Button>
        </div>
      )}
      <div ref={stage} className={css.stage} hidden={asList} {...pointed}>
        {width > 0 && (
          <ShelfDrawing
            layout={layout}
            skip={skip}
            colours={colour}
            focused={focused}
            hasNotes
            fontsReady={fontsReady}
          />
        )}
        {tip}
      </div>
      <ShelfList
        books={books}
        visible={asList}
        hrefOf={hrefOf}
        label="Books on the shelf, oldest first."
        noteOf={readerOf}
        describe={described}
        neighbourOf={neighbourOf}
        onFocus={onFocus}
        onBlur={onBlur}
      />
      {query && hrefOf && hasUnfinished && <Unfinished books={unfinished} {...{ hrefOf, asList, onFocus, onBlur }} />}
    </section>
  );
});

const NONE: readonly UnfinishedBook[] = [];

/** The localStorage key of the choice to see unfinished books. */
const STORED_AS = `shelfwise-unfinished${BASE}`;

/** Milliseconds without changes before the shelf is redrawn. */
const REST = 200;

type FilteredShelfProps = Omit<ShelfProps, "books" | "hidden" | "start"> & {
  shelf: Stats["shelf"];
  /** The words of all finished books of the filter, of which the shelf may show only the newest. */
  totalWords?: number;
};

/** The shelf of a filter. It is the largest drawing of a page, so figures, charts, table and typing do not wait for it. */
export const FilteredShelf = memo(function FilteredShelf({ shelf, totalWords = 0, ...rest }: FilteredShelfProps) {
  const all = useMemo(() => ({ ...shelf, totalWords }), [shelf, totalWords]);
  const { books, hidden, totalWords: total } = useDebouncedTransition(all, REST);
  if (books.length === 0) return <NoBooksShelf title={rest.title} />;
  const shown = books.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const start = hidden > 0 ? Math.max(0, total - shown) : 0;
  return <Shelf books={books} hidden={hidden} start={start} {...rest} />;
});

/** The empty shelf, shown when no finished book matches the filter. */
function NoBooksShelf({ title = TITLE }: Pick<ShelfProps, "title">) {
  const heading = useId();
  return (
    <section className={css.shelf} aria-labelledby={heading}>
      <div className={css.head}>
        <h2 className="h2" id={heading}>
          {title}
        </h2>
      </div>
      <EmptyShelf bare />
    </section>
  );
}

/** Room in px that a tip needs above its spine. */
const TIP_ROOM = 120;

/** A link in the hidden list has the focus; its spine, and the tip above, are scrolled into view. */
function bringIntoView(spine: Element | null | undefined): void {
  if (!spine) return;
  const { top, bottom } = spine.getBoundingClientRect();
  const above = top - TIP_ROOM;
  const below = bottom - window.innerHeight;
  if (above < 0) window.scrollBy(0, above);
  else if (below > 0) window.scrollBy(0, below);
}

interface Pointed {
  /** Called when the pointer enters a spine; null when it is over none. */
  onPoint: (id: number | null, touch: boolean) => void;
  onOpen: (id: number) => void;
  onAdd: () => void;
}

/**
 * A mouse shows the tip by hovering and opens the book by clicking. A finger shows the tip with the first tap, and
 * opens the book with the second.
 */
function usePointed({ onPoint, onOpen, onAdd }: Pointed) {
  const [tapped, setTapped] = useState<number | null>(null);
  const spineOf = (target: EventTarget): number | null => {
    const id = target instanceof Element && target.closest<SVGElement>("[data-id]")?.dataset.id;
    return id ? Number(id) : null;
  };
  return {
    onPointerOver: (event: ReactPointerEvent) => {
      if (event.pointerType !== "touch") onPoint(spineOf(event.target), false);
    },
    onPointerLeave: (event: ReactPointerEvent) => {
      if (event.pointerType !== "touch") onPoint(null, false);
    },
    onClick: (event: { target: EventTarget; nativeEvent: Event }) => {
      if (event.target instanceof Element && event.target.closest("[data-slot]")) return onAdd();
      const id = spineOf(event.target);
      const touch = event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === "touch";
      if (touch && id !== tapped) {
        setTapped(id);
        onPoint(id, true);
      } else if (id !== null) onOpen(id);
    },
  };
}

function Legend({ colour, books }: { colour: ShelfColours; books: readonly ShelfBook[] }) {
  return (
    <ul className={css.legend}>
      {colour.legendOf(books).map(({ label, blue }) => (
        <li key={blue}>
          <Swatch blue={blue} />
          <bdi dir="auto">{label}</bdi>
        </li>
      ))}
      <li>
        <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
          <path className={css.ribbon} d="M2 0h4v14H2z" />
        </svg>
        Reread
      </li>
    </ul>
  );
}

interface InlineSelectProps<V extends string> {
  label: string;
  value: V;
  options: readonly V[];
  onChange: (value: V) => void;
}

/** A select that looks like a word of its sentence. */
function InlineSelect<V extends string>({ label, value, options, onChange }: InlineSelectProps<V>) {
  return (
    <select
      className={css.inlineSelect}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as V)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
