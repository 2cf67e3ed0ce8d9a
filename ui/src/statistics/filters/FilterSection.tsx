import { useMemo } from "react";
import type { StatsOptions } from "../../kit/api/types";
import { FilterBar } from "./FilterBar";
import { FilterChips } from "./FilterChips";
import { filterOptions } from "./options";
import type { Filtering } from "./useFilter";

interface FilterSectionProps {
  filtering: Filtering;
  /** What the library has to filter by; undefined while that is not known. */
  options: StatsOptions | undefined;
  /** The reader's day, yyyy-MM-dd. */
  today: string;
  /** Books that the filter lets through, null while that is not known; and all that the plan shows. */
  matching: number | null;
  visible: number;
  className?: string;
}

/** The bar that a page of figures is filtered by, over what it is filtered by now. */
export function FilterSection({ filtering, options, today, matching, visible, className }: FilterSectionProps) {
  const { filter, change, search, reset } = filtering;
  const offered = useMemo(() => filterOptions(options), [options]);
  const shared = { filter, today, matching, onChange: change, onReset: reset };
  return (
    <section className={className} aria-label="Filters">
      <FilterBar {...shared} options={offered} onSearch={search} />
      <FilterChips {...shared} visible={visible} />
    </section>
  );
}
