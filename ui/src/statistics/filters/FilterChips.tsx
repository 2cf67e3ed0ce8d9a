import { memo } from "react";
import { whole } from "../../kit/format";
import { Chip } from "../../kit/ui/Badge";
import { Button } from "../../kit/ui/Button";
import css from "./Filters.module.css";
import { chipsOf, type Filter } from "./filter";

interface FilterChipsProps {
  /** Of which the title search is left out. */
  filter: Filter;
  /** Whether what is shown is filtered, be it by its title alone. */
  isFiltered: boolean;
  /** The reader's day, yyyy-MM-dd. */
  today: string;
  onChange: (part: Partial<Filter>) => void;
  onReset: () => void;
  /** Books that the filter lets through, and all that the plan shows. */
  matching: number | null;
  visible: number;
}

/** What is filtered by, one chip each, and how many books that leaves. */
export const FilterChips = memo(function FilterChips(props: FilterChipsProps) {
  const { filter, isFiltered, today, onChange, onReset, matching, visible } = props;
  const chips = chipsOf(filter, today);
  const isOn = isFiltered || chips.length > 0;
  return (
    <div className={css.chips} data-on={isOn || undefined}>
      {isOn && (
        <>
          {chips.map(({ label, without }) => (
            <Chip key={label} removeLabel={`Remove filter ${label}`} onRemove={() => onChange(without)}>
              {label}
            </Chip>
          ))}
          <Button variant="quiet" size="compact" onClick={onReset}>
            Reset Filters
          </Button>
        </>
      )}
      <span className={css.matching} role="status">
        {isOn && matching !== null && `${whole(matching)} of ${whole(visible)} books`}
      </span>
    </div>
  );
});
