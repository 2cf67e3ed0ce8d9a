import type { TbrItem } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Button, IconButton } from "../../kit/ui/Button";
import { Menu, MenuItem, MenuLink, MenuRule } from "../../kit/ui/Menu";
import type { Place } from "../../kit/ui/SortableList";
import { wordsOf } from "../books/tbrItem";
import css from "./Tbr.module.css";

export interface ItemActions {
  onStart: (item: TbrItem) => void;
  onEdit: (item: TbrItem) => void;
  onRemove: (item: TbrItem) => void;
}

interface TbrRowProps extends ItemActions {
  item: TbrItem;
  place: Place;
  /** Whether there is room for the button that starts the book. */
  isWide: boolean;
}

/** Empty without a word count. */
function wordsText(item: TbrItem): string {
  const words = wordsOf(item);
  return words === null ? "" : counted(words, "word");
}

/** A to-be-read book: its position, its details, and its actions. */
export function TbrRow({ item, place, isWide, ...actions }: TbrRowProps) {
  return (
    <>
      {place.handle}
      <span className={css.rank}>{place.index + 1}</span>
      <Outline words={wordsOf(item)} />
      <div className={css.body}>
        <p className={css.title} dir="auto">
          {item.title}
        </p>
        {item.author && (
          <p className={css.sub} dir="auto">
            {item.author}
          </p>
        )}
        <p className={css.narrowWords}>{wordsText(item)}</p>
        {item.notes && (
          <p className={css.notes} dir="auto">
            {item.notes}
          </p>
        )}
      </div>
      <div className={css.end}>
        <span className={css.words}>{wordsText(item)}</span>
        {isWide && (
          <Button size="compact" aria-label={`Start reading ${item.title}`} onClick={() => actions.onStart(item)}>
            Start reading
          </Button>
        )}
        <ActionsMenu item={item} place={place} isWide={isWide} {...actions} />
      </div>
    </>
  );
}

/** A dashed spine, with thickness by words. */
function Outline({ words }: { words: number | null }) {
  const width = Math.max(4, Math.min(18, ((words ?? 0) / 1000) * 0.05));
  return (
    <svg className={css.outline} viewBox="0 0 18 40" aria-hidden="true" focusable="false">
      <rect className={css.ghost} x=".5" y=".5" width={(width - 1).toFixed(1)} height="39" rx="1" />
    </svg>
  );
}

function ActionsMenu({ item, place, isWide, onStart, onEdit, onRemove }: TbrRowProps) {
  return (
    <Menu trigger={<IconButton icon="dots" compact={isWide} label={`Actions for ${item.title}`} />}>
      {!isWide && (
        <MenuItem icon="book" onSelect={() => onStart(item)}>
          Start reading
        </MenuItem>
      )}
      <MenuLink icon="check" href={paths.addBook({ tbr: item.id })}>
        Log as read
      </MenuLink>
      <MenuRule />
      <MenuItem icon="up" disabled={place.isFirst} onSelect={place.moveToTop}>
        Move to top
      </MenuItem>
      <MenuItem icon="up" disabled={place.isFirst} onSelect={place.moveUp}>
        Move up
      </MenuItem>
      <MenuItem icon="down" disabled={place.isLast} onSelect={place.moveDown}>
        Move down
      </MenuItem>
      <MenuRule />
      <MenuItem icon="edit" onSelect={() => onEdit(item)}>
        Edit
      </MenuItem>
      <MenuItem icon="trash" onSelect={() => onRemove(item)}>
        Remove
      </MenuItem>
    </Menu>
  );
}
