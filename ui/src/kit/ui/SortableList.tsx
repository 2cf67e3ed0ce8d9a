import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type ScreenReaderInstructions,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Icon } from "./Icon";
import css from "./SortableList.module.css";
import { useWindowRows } from "./useWindowRows";

/** The ids after one of them was moved from one place to another, both from 0. */
export const moved: (ids: number[], from: number, to: number) => number[] = arrayMove;

/** What a row gets besides its item. */
export interface Place {
  /** From 0. */
  index: number;
  /** The handle that moves the row, by pointer or keyboard. */
  handle: ReactNode;
  /** Moves the row up by one place without dragging; does nothing at the end of the list. */
  moveUp: () => void;
  moveDown: () => void;
  moveToTop: () => void;
  isFirst: boolean;
  isLast: boolean;
}

interface SortableListProps<Item extends { id: number }> {
  items: readonly Item[];
  /** The name of a row in the announcements of its moves. */
  nameOf: (item: Item) => string;
  /** The ids in their new order. */
  onReorder: (ids: number[]) => void;
  className?: string;
  rowClassName?: string;
  /** The usual height of a row in px; measured heights replace it. */
  rowHeight: number;
  /** How many rows are shown. A row that is moved beyond them asks for more. */
  shown?: number;
  onShow?: (rows: number) => void;
  children: (item: Item, place: Place) => ReactNode;
}

const INSTRUCTIONS: ScreenReaderInstructions = {
  draggable:
    "Press Space to pick the book up, the arrow keys to move it, Space to put it down and Escape to cancel. Home and End put it down at the top and at the end of the list.",
};

/** Rows move vertically only. */
const upright: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** A pointer must move this many px before a press becomes a drag. */
const TRAVEL = 4;

/** The keys of a drag by keyboard. Home and End also end it. */
const KEYS = {
  start: ["Space", "Enter"],
  cancel: ["Escape"],
  end: ["Space", "Enter", "Tab", "Home", "End"],
};

/**
 * A list that the reader puts in order: by dragging a handle, with the keyboard on the handle (Space picks up, arrows
 * move, Space drops, Home and End drop at either end, Escape cancels), or one step at a time by a menu. Every step is
 * announced. Of a long list only the rows in the window are rendered, and the row with the focus.
 */
export function SortableList<Item extends { id: number }>(props: SortableListProps<Item>) {
  const { items, nameOf, onReorder, className, rowClassName, rowHeight, children } = props;
  const { shown = items.length, onShow } = props;
  const [announcement, setAnnouncement] = useState("");
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: TRAVEL } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates, keyboardCodes: KEYS }),
  );
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  // The row that had the focus last, or that is being dragged: it must stay in the page.
  const [kept, setKept] = useState<number | null>(null);
  const keptAt = kept === null ? -1 : ids.indexOf(kept);
  const inWindow = useWindowRows<HTMLOListElement>({
    count: Math.min(items.length, shown),
    estimate: rowHeight,
    kept: keptAt < shown ? keptAt : -1,
    keyOf: (index) => ids[index] ?? index,
  });
  const { list, above, below, measure, scrollTo } = inWindow;
  /** The row that was moved last and its new place, until the list is drawn in that order. */
  const moving = useRef<{ id: number; to: number } | null>(null);
  const lastKey = useRef("");
  const hasMoved = useRef(false);
  /** The place where a drag ends; -1 when it is over none. */
  const landing = (over: UniqueIdentifier | undefined) => {
    if (lastKey.current === "Home") return 0;
    return lastKey.current === "End" ? ids.length - 1 : ids.indexOf(Number(over));
  };
  const announcements = announcing(items, nameOf, hasMoved, landing);

  const reorder = (from: number, to: number) => {
    const id = ids[from];
    if (id !== undefined) moving.current = { id, to };
    if (to >= shown) onShow?.(to + 1);
    onReorder(moved(ids, from, to));
  };
  const move = (from: number, to: number) => {
    const item = items[from];
    if (!item || from === to || to < 0 || to >= items.length) return;
    reorder(from, to);
    setAnnouncement(`${nameOf(item)}, position ${to + 1} of ${items.length}.`);
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const [from, to] = [ids.indexOf(Number(active.id)), landing(over?.id)];
    if (from >= 0 && to >= 0 && from !== to) reorder(from, to);
  };
  // A row that was moved out of the window is followed, once it stands there: the list may be fetched anew in its former
  // order before, and be too short.
  useLayoutEffect(() => {
    if (moving.current === null || moving.current.to >= shown || ids[moving.current.to] !== moving.current.id) return;
    scrollTo(moving.current.to);
    moving.current = null;
  }, [ids, scrollTo, shown]);

  const row = (index: number) => {
    const item = items[index];
    if (!item) return null;
    return (
      <Row
        key={item.id}
        id={item.id}
        index={index}
        count={items.length}
        name={nameOf(item)}
        className={rowClassName}
        measure={measure}
        onFocus={setKept}
      >
        {(handle) =>
          children(item, {
            index,
            handle,
            moveUp: () => move(index, index - 1),
            moveDown: () => move(index, index + 1),
            moveToTop: () => move(index, 0),
            isFirst: index === 0,
            isLast: index === items.length - 1,
          })
        }
      </Row>
    );
  };

  // One list of keyed rows: a row that is moved out of the window stays the same element, with its focus.
  const rows = inWindow.rows.flatMap(({ index, start }, at, all) => {
    const room = start - (all[at - 1]?.end ?? start);
    return [room > 0 && <Gap key={`room ${index}`} height={room} />, row(index)];
  });

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upright]}
      onDragStart={({ active }) => {
        lastKey.current = "";
        setKept(Number(active.id));
      }}
      onDragEnd={onDragEnd}
      accessibility={{ announcements, screenReaderInstructions: INSTRUCTIONS }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol
          ref={list}
          className={className}
          onKeyDown={({ code }) => {
            lastKey.current = code;
          }}
        >
          <Gap height={above} />
          {rows}
          <Gap height={below} />
        </ol>
      </SortableContext>
      <p className="vh" role="status">
        {announcement}
      </p>
    </DndContext>
  );
}

/** The screen reader's announcement of each step of a drag. */
function announcing<Item extends { id: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  hasMoved: RefObject<boolean>,
  landing: (over: UniqueIdentifier | undefined) => number,
): Announcements {
  const at = (id: UniqueIdentifier) => items.findIndex((item) => item.id === id);
  const name = (id: UniqueIdentifier) => {
    const item = items[at(id)];
    return item ? nameOf(item) : "";
  };
  const place = (id: UniqueIdentifier) => `position ${at(id) + 1} of ${items.length}`;
  return {
    onDragStart: ({ active }) => {
      hasMoved.current = false;
      return `Picked up ${name(active.id)}, ${place(active.id)}.`;
    },
    onDragOver: ({ active, over }) => {
      hasMoved.current ||= over !== null && over.id !== active.id;
      // A row that was picked up is over its own place at first. Announcing that place would drown the announcement
      // that the row was picked up.
      return over && hasMoved.current ? `${name(active.id)}, ${place(over.id)}.` : undefined;
    },
    onDragEnd: ({ active, over }) => {
      const to = landing(over?.id ?? active.id);
      return `${name(active.id)} was put down, position ${to + 1} of ${items.length}.`;
    },
    onDragCancel: ({ active }) => `Canceled. ${name(active.id)} is back, ${place(active.id)}.`,
  };
}

/** The room of the rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return height > 0 ? <li aria-hidden="true" style={{ height }} /> : null;
}

interface RowProps {
  id: number;
  index: number;
  count: number;
  name: string;
  className?: string;
  measure: (row: HTMLElement | null) => void;
  onFocus: (id: number) => void;
  children: (handle: ReactNode) => ReactNode;
}

function Row({ id, index, count, name, className, measure, onFocus, children }: RowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const ref = useCallback(
    (row: HTMLElement | null) => {
      setNodeRef(row);
      measure(row);
    },
    [setNodeRef, measure],
  );
  return (
    <li
      ref={ref}
      className={className ? `${css.row} ${className}` : css.row}
      data-index={index}
      data-id={id}
      aria-setsize={count}
      aria-posinset={index + 1}
      onFocus={() => onFocus(id)}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {children(
        <button
          type="button"
          ref={setActivatorNodeRef}
          className={css.handle}
          {...attributes}
          {...listeners}
          aria-label={`Reorder ${name}`}
        >
          <Icon name="grip" />
        </button>,
      )}
    </li>
  );
}
