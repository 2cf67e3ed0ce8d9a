import { type ReactNode, useMemo } from "react";
import type { StatsOptions } from "../../kit/api/types";
import { SearchField } from "../../kit/ui/SearchField";
import { FilterButtons, SheetButton } from "./FilterButtons";
import { FilterChips } from "./FilterChips";
import css from "./Filters.module.css";
import { type Filter, isFiltered } from "./filter";
import { filterOptions } from "./options";
import type { Filtering } from "./useFilter";

interface FilterSectionProps {
  filtering: Filtering;
  /** The filter of the data that is shown, which may lag behind `filtering`. */
  shown: Filter;
  /** The genres, authors and formats of the library; undefined while they are loading. */
  options: StatsOptions | undefined;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  /** The number of matching books, null while it is unknown; and of all that the plan shows. */
  matching: number | null;
  visible: number;
  /** Whether books of every status are shown, so that they can be filtered by it. The default is true. */
  withStatus?: boolean;
  className?: string;
  /** Stands beside the bar. */
  views?: ReactNode;
  /** Shown below the bar, above the active filters. */
  children?: ReactNode;
}

/**
 * The filter bar, and the active filters below it. The bar has the title search and the filters; on a phone the search,
 * and a sheet with all the others.
 */
export function FilterSection(props: FilterSectionProps) {
  const { filtering, shown, options, today, matching, visible, withStatus = true, className, views, children } = props;
  const { filter, chosen, change, search, reset } = filtering;
  const offered = useMemo(() => filterOptions(options), [options]);
  const shared = { today, onChange: change, onReset: reset };
  const controls = { ...shared, filter: chosen, options: offered, withStatus };
  return (
    <section className={className} aria-label="Filters">
      <div className={css.line}>
        <div className={css.bar}>
          <SearchField
            className={css.search}
            label="Search titles"
            placeholder="Search titles"
            value={filter.titleSearch}
            onSearch={search}
          />
          <FilterButtons {...controls} />
          <SheetButton {...controls} matching={matching} />
        </div>
        {views}
      </div>
      {children}
      <FilterChips {...shared} filter={chosen} isFiltered={isFiltered(shown)} matching={matching} visible={visible} />
    </section>
  );
}
