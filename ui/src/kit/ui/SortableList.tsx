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
import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { Icon } from "./Icon";
import css from "./SortableList.module.css";

/** What a row gets besides its item. */
export interface Place {
  /** From 0. */
  index: number;
  /** The handle that moves the row, by pointer or keyboard. */
  handle: ReactNode;
  /** Moves the row up by one place without dragging; does nothing at the end of the list. */
  moveUp: () => void;
  moveDown: () => void;
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
  children: (item: Item, place: Place) => ReactNode;
}

const INSTRUCTIONS: ScreenReaderInstructions = {
  draggable: "Press Space to pick the book up, the arrow keys to move it, Space to put it down and Escape to cancel.",
};

/** Rows move vertically only. */
const upright: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** A pointer must move this many px before a press becomes a drag. */
const TRAVEL = 4;

/**
 * A list that the reader puts in order: by dragging a handle, with the keyboard on the handle (Space picks up, arrows
 * move, Space drops, Escape cancels), or one step at a time by buttons. Every step is announced.
 */
export function SortableList<Item extends { id: number }>(props: SortableListProps<Item>) {
  const { items, nameOf, onReorder, className, rowClassName, children } = props;
  const [announcement, setAnnouncement] = useState("");
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: TRAVEL } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const hasMoved = useRef(false);
  const announcements = announcing(items, nameOf, hasMoved);

  const move = (from: number, to: number) => {
    const item = items[from];
    if (!item || from === to || to < 0 || to >= items.length) return;
    onReorder(arrayMove(ids, from, to));
    setAnnouncement(`${nameOf(item)}, position ${to + 1} of ${items.length}.`);
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const [from, to] = [ids.indexOf(Number(active.id)), ids.indexOf(Number(over?.id))];
    if (from >= 0 && to >= 0 && from !== to) onReorder(arrayMove(ids, from, to));
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upright]}
      onDragEnd={onDragEnd}
      accessibility={{ announcements, screenReaderInstructions: INSTRUCTIONS }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className={className}>
          {items.map((item, index) => (
            <Row key={item.id} id={item.id} name={nameOf(item)} className={rowClassName}>
              {(handle) =>
                children(item, {
                  index,
                  handle,
                  moveUp: () => move(index, index - 1),
                  moveDown: () => move(index, index + 1),
                  isFirst: index === 0,
                  isLast: index === items.length - 1,
                })
              }
            </Row>
          ))}
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
    onDragEnd: ({ active, over }) => `${name(active.id)} was put down, ${place(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) => `Cancelled. ${name(active.id)} is back, ${place(active.id)}.`,
  };
}

interface RowProps {
  id: number;
  name: string;
  className?: string;
  children: (handle: ReactNode) => ReactNode;
}

function Row({ id, name, className, children }: RowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      className={className ? `${css.row} ${className}` : css.row}
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
