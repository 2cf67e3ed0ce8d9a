import { memo, useRef } from "react";
import { counted, whole } from "../../kit/format";
import { Chip } from "../../kit/ui/Badge";
import { Button } from "../../kit/ui/Button";
import css from "./Filters.module.css";
import type { Filter } from "./filter";
import { chipsOf } from "./filters";

interface FilterChipsProps {
  /** The filter; its title search is ignored here. */
  filter: Filter;
  /** Whether any filter is active, the title search included. */
  isFiltered: boolean;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  onChange: (part: Partial<Filter>) => void;
  onReset: () => void;
  /** The number of books that match the filter, and of all that the plan shows. */
  matching: number | null;
  visible: number;
}

/** One chip for each active filter, and the number of matching books. */
export const FilterChips = memo(function FilterChips(props: FilterChipsProps) {
  const { filter, isFiltered, today, onChange, onReset, matching, visible } = props;
  const chips = chipsOf(filter, today);
  const isOn = isFiltered || chips.length > 0;
  const frame = useRef<HTMLDivElement>(null);
  // The button that is pressed goes with its filter.
  const leaving = (act: () => void) => () => {
    frame.current?.focus();
    act();
  };
  return (
    <div className={css.chips} data-on={isOn || undefined} ref={frame} tabIndex={-1}>
      {isOn && (
        <>
          {chips.map(({ label, without }) => (
            <Chip
              // A genre and a tag may have one name.
              key={`${Object.keys(without)} ${label}`}
              removeLabel={`Remove filter ${label}`}
              onRemove={leaving(() => onChange(without))}
            >
              <bdi dir="auto">{label}</bdi>
            </Chip>
          ))}
          <Button variant="quiet" size="compact" onClick={leaving(onReset)}>
            Reset Filters
          </Button>
        </>
      )}
      <span className={css.matching} role="status">
        {isOn && matching !== null && `${whole(matching)} of ${counted(visible, "book")}`}
      </span>
    </div>
  );
});
