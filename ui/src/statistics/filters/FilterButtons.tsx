import { memo, type ReactNode, useState } from "react";
import { Button } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import { Popover, PopoverClose } from "../../kit/ui/Popover";
import type { FilterControls } from "./controls";
import { Authors, Formats, Genres, MinRating, More, Period, RereadsChoice, StatusChoice } from "./FilterPanels";
import { FilterSheet } from "./FilterSheet";
import css from "./Filters.module.css";
import { chipsOf, filterPeriodName, REREADS } from "./filter";

/** The filters beside the title search, each a button with a panel. */
export const FilterButtons = memo(function FilterButtons(controls: FilterControls) {
  const { filter, withStatus, today, onChange } = controls;
  const { genres, authors, tags, series, languages, formats, statuses, reread, minRating } = filter;
  return (
    <>
      <FilterPopover label="Genres" count={genres.length} onClear={() => onChange({ genres: [] })}>
        <Genres {...controls} />
      </FilterPopover>
      <FilterPopover label="Authors" count={authors.length} onClear={() => onChange({ authors: [] })}>
        <Authors {...controls} />
      </FilterPopover>
      <FilterPopover label="Formats" count={formats.length} onClear={() => onChange({ formats: [] })}>
        <Formats {...controls} />
      </FilterPopover>
      {withStatus && (
        <FilterPopover label="Status" count={statuses.length} onClear={() => onChange({ statuses: [] })}>
          <StatusChoice {...controls} />
        </FilterPopover>
      )}
      {withStatus && (
        <FilterPopover
          label="More"
          count={tags.length + series.length + languages.length}
          onClear={() => onChange({ tags: [], series: [], languages: [] })}
        >
          <More filter={filter} onChange={onChange} />
        </FilterPopover>
      )}
      <FilterPopover
        label="Rereads"
        value={reread === "include" ? "" : REREADS[reread]}
        onClear={() => onChange({ reread: "include" })}
      >
        <RereadsChoice {...controls} />
      </FilterPopover>
      <FilterPopover
        label="Rating"
        value={minRating > 0 ? `Rating ${minRating}${minRating < 10 ? "+" : ""}` : ""}
        onClear={() => onChange({ minRating: 0 })}
        align="end"
      >
        <MinRating name="bar-rating" filter={filter} onChange={onChange} />
      </FilterPopover>
      <FilterPopover
        label="Dates"
        value={filterPeriodName(filter, today)}
        onClear={() => onChange({ startDate: "", endDate: "" })}
        align="end"
      >
        <Period {...controls} />
      </FilterPopover>
    </>
  );
});

interface SheetButtonProps extends FilterControls {
  /** The number of books that match the filter; null while it is unknown. */
  matching: number | null;
}

/** Replaces the buttons on a phone: opens a sheet with all filters. */
export function SheetButton(props: SheetButtonProps) {
  const chosen = chipsOf(props.filter, props.today).length;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${css.filter} ${css.more}`}
        data-on={chosen > 0 || undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="sliders" />
        Filters
        {chosen > 0 && <span className={css.count}>{chosen}</span>}
      </button>
      {isOpen && <FilterSheet onClose={() => setOpen(false)} {...props} />}
    </>
  );
}

interface FilterPopoverProps {
  label: string;
  /** The number of chosen options, or the chosen value in place of the label. */
  count?: number;
  value?: string;
  align?: "start" | "end";
  onClear: () => void;
  children: ReactNode;
}

/** A filter's button, and the panel that it opens. A choice in the panel takes effect at once. */
function FilterPopover({ label, count = 0, value = "", align, onClear, children }: FilterPopoverProps) {
  return (
    <Popover
      label={label}
      align={align}
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
