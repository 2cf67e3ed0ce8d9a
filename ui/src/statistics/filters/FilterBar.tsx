import { memo, type ReactNode, useCallback, useState } from "react";
import { Button } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import { Popover, PopoverClose } from "../../kit/ui/Popover";
import { SearchField } from "../../kit/ui/SearchField";
import { fetchedAhead, useOnDemand } from "../../kit/ui/useOnDemand";
import css from "./Filters.module.css";
import { chipsOf, type Filter, periodName, REREADS } from "./filter";
import type { FilterOptions } from "./options";

const loadPanels = () => import("./FilterPanels");
const loadSheet = () => import("./FilterSheet");
type Panels = Awaited<ReturnType<typeof loadPanels>>;

export interface FilterControls {
  filter: Filter;
  options: FilterOptions;
  /** The reader's day, yyyy-MM-dd. */
  today: string;
  onChange: (part: Partial<Filter>) => void;
  onReset: () => void;
}

interface FilterBarProps extends FilterControls {
  onSearch: (titleSearch: string) => void;
  /** Books that the filter lets through; null while that is not known. */
  matching: number | null;
}

/** One instrument: the title search and six filters; on a phone the search, and a sheet with all the others. */
export const FilterBar = memo(function FilterBar({ onSearch, matching, ...controls }: FilterBarProps) {
  const { filter, today, onChange } = controls;
  const chosen = chipsOf(filter, today).length;
  const { genres, authors, formats, reread, minRating } = filter;
  return (
    <div className={css.bar}>
      <SearchField
        className={css.search}
        label="Search titles"
        placeholder="Search titles"
        value={filter.titleSearch}
        onSearch={onSearch}
      />
      <FilterPopover label="Genres" count={genres.length} onClear={() => onChange({ genres: [] })}>
        {(panels) => <panels.Genres {...controls} />}
      </FilterPopover>
      <FilterPopover label="Authors" count={authors.length} onClear={() => onChange({ authors: [] })}>
        {(panels) => <panels.Authors {...controls} />}
      </FilterPopover>
      <FilterPopover label="Formats" count={formats.length} onClear={() => onChange({ formats: [] })}>
        {(panels) => <panels.Formats {...controls} />}
      </FilterPopover>
      <FilterPopover
        label="Rereads"
        value={reread === "include" ? "" : REREADS[reread]}
        onClear={() => onChange({ reread: "include" })}
      >
        {(panels) => <panels.RereadsChoice {...controls} />}
      </FilterPopover>
      <FilterPopover
        label="Rating"
        value={minRating > 0 ? `Rating ${minRating}${minRating < 10 ? "+" : ""}` : ""}
        onClear={() => onChange({ minRating: 0 })}
        align="end"
      >
        {(panels) => <panels.MinRating name="bar-rating" filter={filter} onChange={onChange} />}
      </FilterPopover>
      <FilterPopover
        label="Dates"
        value={periodName(filter, today)}
        onClear={() => onChange({ startDate: "", endDate: "" })}
        align="end"
      >
        {(panels) => <panels.Period {...controls} />}
      </FilterPopover>
      <SheetButton {...controls} chosen={chosen} matching={matching} />
    </div>
  );
});

/** On a phone: opens the sheet, which is fetched with the first press. */
function SheetButton({ chosen, ...rest }: FilterControls & { chosen: number; matching: number | null }) {
  const { parts, fetch } = useOnDemand(loadSheet);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => fetch().then(() => setOpen(true)), [fetch]);
  return (
    <>
      <button
        type="button"
        className={`${css.filter} ${css.more}`}
        data-on={chosen > 0 || undefined}
        aria-haspopup="dialog"
        onClick={open}
        {...fetchedAhead(loadSheet)}
      >
        <Icon name="sliders" />
        Filters
        {chosen > 0 && <span className={css.count}>{chosen}</span>}
      </button>
      {parts && <parts.FilterSheet open={isOpen} onOpenChange={setOpen} {...rest} />}
    </>
  );
}

interface FilterPopoverProps {
  label: string;
  /** What is chosen: a number of things, or a value in place of the label. */
  count?: number;
  value?: string;
  align?: "start" | "end";
  onClear: () => void;
  children: (panels: Panels) => ReactNode;
}

/** A filter's button, and the panel it opens. What is chosen there acts at once. */
function FilterPopover({ label, count = 0, value = "", align, onClear, children }: FilterPopoverProps) {
  return (
    <Popover
      label={label}
      align={align}
      load={loadPanels}
      className={css.popover}
      trigger={
        <button type="button" className={`${css.filter} ${css.wide}`} data-on={count > 0 || value !== "" || undefined}>
          {value || label}
          {count > 0 && <span className={css.count}>{count}</span>}
          <Icon name="chevron" />
        </button>
      }
      foot={
        <>
          <Button variant="quiet" size="compact" onClick={onClear}>
            Clear
          </Button>
          <PopoverClose>
            <Button variant="primary" size="compact">
              Done
            </Button>
          </PopoverClose>
        </>
      }
    >
      {children}
    </Popover>
  );
}
