import { useMemo } from "react";
import type { TbrItem } from "../../kit/api/types";
import { bookFinder, bookKeys, titleKey } from "../../kit/fold";
import { counted } from "../../kit/format";
import { moved } from "../../kit/ui/SortableList";
import css from "./Tbr.module.css";
import { type ItemActions, TbrRow } from "./TbrRow";

/** The items shown of a search. */
const SHOWN = 50;

interface FoundProps extends ItemActions {
  items: readonly TbrItem[];
  sought: string;
  onReorder: (ids: number[]) => void;
}

/** The items whose title, author or notes contain what is typed, each with its place on the list. */
export function Found({ items, sought, onReorder, ...actions }: FoundProps) {
  const known = useMemo(
    () =>
      items.map((item, index) => ({
        item,
        index,
        keys: bookKeys(item.title, item.author),
        notes: titleKey(item.notes ?? ""),
      })),
    [items],
  );
  const finds = bookFinder(sought);
  const text = titleKey(sought.trim());
  const found = known.filter(({ keys, notes }) => finds(keys) || notes.includes(text));
  const move = (from: number, to: number) =>
    onReorder(
      moved(
        items.map(({ id }) => id),
        from,
        to,
      ),
    );
  return (
    <>
      <p className="hint" role="status">
        {found.length === 0
          ? `Nothing on your TBR contains “${sought.trim()}”.`
          : `${counted(found.length, "book")} found`}
        {found.length > SHOWN && `, of which ${SHOWN} are shown`}
      </p>
      <ul className={css.list}>
        {found.slice(0, SHOWN).map(({ item, index }) => (
          <li key={item.id} className={`${css.row} ${css.found}`}>
            <TbrRow
              item={item}
              isWide={false}
              place={{
                index,
                handle: <span />,
                moveUp: () => move(index, index - 1),
                moveDown: () => move(index, index + 1),
                moveToTop: () => move(index, 0),
                isFirst: index === 0,
                isLast: index === items.length - 1,
              }}
              {...actions}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
