import { memo } from "react";
import { shortMonthName } from "../../kit/format";
import { PartSpine } from "../../kit/spine/PartSpine";
import { Spine } from "../../kit/spine/Spine";
import { tenth } from "../../kit/spine/size";
import type { ShelfColours } from "./colours";
import { BOARD, type PlacedSpine, type Shelf, type ShelfLayout, tickLabel } from "./layout";
import css from "./Shelf.module.css";

/** The board and the marks of its ruler, all in one path. */
export function Ruler({ ticks, base, board }: Pick<Shelf, "ticks" | "base"> & { board: number }) {
  const marks = ticks.map(({ x, major }) => `M${tenth(x + 0.5)} ${tenth(base + BOARD)}v${major ? 7 : 4}`).join("");
  const numbered = ticks.filter(({ x, words, major }) => major && (words === 0 || (x > 14 && x < board - 16)));
  return (
    <>
      <rect className={css.board} x="0" y={tenth(base)} width={tenth(board)} height={BOARD} />
      <path className={css.tick} d={marks} />
      {numbered.map(({ x, words }) => (
        <text
          key={words}
          className={css.number}
          x={tenth(x)}
          y={tenth(base + 22)}
          textAnchor={words === 0 ? undefined : "middle"}
        >
          {tickLabel(words)}
        </text>
      ))}
    </>
  );
}

/** The month of a day; empty for a rough date of several months. */
function monthOf(date: string, from: string | null): string {
  const isKnown = !from || from.slice(0, 7) === date.slice(0, 7);
  return isKnown ? shortMonthName(date) : "";
}

/** "Jan 2024 –" and "Feb 2025": the first and the last month of a shelf's dated books, on two lines. */
export function periodOf(spines: readonly PlacedSpine[]): [string, string] {
  const days = spines.flatMap(({ book: { date, completedFrom } }) => (date ? { date, from: completedFrom } : []));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return ["No date", ""];
  const [from, to] = [monthOf(first.date, first.from), monthOf(last.date, last.from)];
  const [begin, end] = [(first.from ?? first.date).slice(0, 4), last.date.slice(0, 4)];
  if (begin !== end) return [`${from} ${begin} –`.trim(), `${to} ${end}`.trim()];
  if (from === "" || to === "") return [end, ""];
  return [from === to ? from : `${from} – ${to}`, end];
}

function Notes({ shelf, base, layout }: { shelf: Shelf; base: number; layout: ShelfLayout }) {
  const [from, to] = periodOf(shelf.spines);
  const count = `${shelf.spines.length} ${shelf.spines.length === 1 ? "book" : "books"}`;
  if (layout.margin === 0) {
    const y = tenth(base + 42);
    return (
      <>
        <text className={css.note} x="0" y={y}>
          {`${from} ${to}`.trim()}
        </text>
        <text className={css.count} x={tenth(layout.board)} y={y} textAnchor="end">
          {count}
        </text>
      </>
    );
  }
  return (
    <>
      <text className={css.note} x="0" y={tenth(base - 22)}>
        {from}
      </text>
      <text className={css.note} x="0" y={tenth(base - 5)}>
        {to}
      </text>
      <text className={css.count} x="0" y={tenth(base + 18)}>
        {count}
      </text>
    </>
  );
}

/** The dashed place after the last book. */
function Slot({ slot, base }: { slot: NonNullable<Shelf["slot"]>; base: number }) {
  const middle = slot.width / 2;
  return (
    <g className={css.slot} data-slot="" transform={`translate(${tenth(slot.x)} ${tenth(base - slot.height)})`}>
      <rect className={css.slotBox} x=".5" y=".5" width={slot.width} height={tenth(slot.height)} rx="1.5" />
      <path
        className={css.slotPlus}
        d={`M${middle + 0.5} ${tenth(slot.height / 2 - 5)}v10M${middle - 4.5} ${tenth(slot.height / 2)}h10`}
      />
    </g>
  );
}

/** The bookend behind books without a date, and before unfinished ones. */
function Bookend({ x, base, tallest, label }: { x: number; base: number; tallest: number; label: string }) {
  return (
    <>
      <path className={css.bookend} d={`M${tenth(x + 19)} ${tenth(base - tallest * 0.78)}V${tenth(base)}`} />
      <text className={css.bookendText} transform={`translate(${tenth(x + 11)} ${tenth(base - 8)}) rotate(-90)`}>
        {label}
      </text>
    </>
  );
}

interface ShelfDrawingProps {
  layout: ShelfLayout;
  /** The number of shelves left out from the top. */
  skip: number;
  colours: Pick<ShelfColours, "blueOf">;
  /** The id of the book that is lifted by focus. */
  focused: number | null;
  hasNotes: boolean;
  /** Changes when the fonts have loaded, so that the lettering is measured again. */
  fontsReady: number;
}

/** The shelf as a drawing. It is decorative, because the list beside it has the same content. */
export const ShelfDrawing = memo(function ShelfDrawing(props: ShelfDrawingProps) {
  const { layout, skip, colours, focused, hasNotes, fontsReady } = props;
  const shift = layout.shelves[skip]?.y ?? 0;
  const height = tenth(layout.height - shift);
  const width = tenth(layout.width);
  return (
    <svg
      className={css.drawing}
      data-focus={focused === null ? undefined : ""}
      aria-hidden="true"
      focusable="false"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {layout.shelves.slice(skip).map((shelf) => {
        const base = shelf.base - shift;
        return (
          <g key={shelf.y}>
            {hasNotes && shelf.spines.length > 0 && <Notes shelf={shelf} base={base} layout={layout} />}
            <g transform={`translate(${layout.margin} 0)`}>
              {shelf.slot && <Slot slot={shelf.slot} base={base} />}
              {shelf.bookend !== null && (
                <Bookend x={shelf.bookend} base={base} tallest={layout.tallest} label="no date" />
              )}
              {shelf.spines.map(({ book, x, width, height, lean }) => (
                <Spine
                  key={book.id}
                  id={book.id}
                  book={book}
                  x={x}
                  y={base - height}
                  width={width}
                  height={height}
                  blue={colours.blueOf(book)}
                  lean={lean}
                  isOn={book.id === focused}
                  fontsReady={fontsReady}
                />
              ))}
              {shelf.unfinishedBookend !== null && (
                <Bookend x={shelf.unfinishedBookend} base={base} tallest={layout.tallest} label="not finished" />
              )}
              {shelf.unfinished.map(({ book, x, width, height, share }) => (
                <g key={book.id} className={css.part} data-id={book.id} data-on={book.id === focused || undefined}>
                  <PartSpine
                    book={book}
                    x={x}
                    y={base - height}
                    width={width}
                    height={height}
                    share={share}
                    blue={colours.blueOf(book)}
                    fontsReady={fontsReady}
                    outline={css.outline}
                  />
                </g>
              ))}
              <Ruler ticks={shelf.ticks} base={base} board={layout.board} />
            </g>
          </g>
        );
      })}
    </svg>
  );
});
