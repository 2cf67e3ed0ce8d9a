import { type ReactNode, useState } from "react";
import { Button } from "../../kit/ui/Button";
import { Radio } from "../../kit/ui/Choice";
import { Field, Input } from "../../kit/ui/Field";
import { Icon } from "../../kit/ui/Icon";
import { Popover, PopoverClose } from "../../kit/ui/Popover";
import { RatingScale } from "../../kit/ui/RatingScale";
import { Checklist } from "./Checklist";
import { FilterSheet } from "./FilterSheet";
import css from "./Filters.module.css";
import { chipsOf, type Filter, periodName, periods, REREADS, type Rereads } from "./filter";
import type { FilterOptions } from "./options";

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
export function FilterBar({ filter, options, today, onChange, onReset, onSearch, matching }: FilterBarProps) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const chosen = chipsOf(filter, today).length;
  const { genres, authors, formats, reread, minRating } = filter;
  const dates = periodName(filter, today);
  return (
    <div className={css.bar}>
      <label className={css.search}>
        <Icon name="search" />
        <span className="vh">Search titles</span>
        <input
          type="search"
          placeholder="Search titles"
          value={filter.titleSearch}
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      <FilterPopover label="Genres" count={genres.length} onClear={() => onChange({ genres: [] })}>
        <Checklist
          name="genres"
          options={options.genres}
          chosen={genres}
          onChoose={(genres) => onChange({ genres })}
          searchable
        />
      </FilterPopover>
      <FilterPopover label="Authors" count={authors.length} onClear={() => onChange({ authors: [] })}>
        <Checklist
          name="authors"
          options={options.authors}
          chosen={authors}
          onChoose={(authors) => onChange({ authors })}
          searchable
        />
      </FilterPopover>
      <FilterPopover label="Formats" count={formats.length} onClear={() => onChange({ formats: [] })}>
        <Checklist
          name="formats"
          options={options.formats}
          chosen={formats}
          onChoose={(chosen) => onChange({ formats: chosen as Filter["formats"] })}
        />
      </FilterPopover>
      <FilterPopover
        label="Rereads"
        value={reread === "include" ? "" : REREADS[reread]}
        onClear={() => onChange({ reread: "include" })}
      >
        {(Object.keys(REREADS) as Rereads[]).map((value) => (
          <Radio key={value} name="rereads" checked={reread === value} onChange={() => onChange({ reread: value })}>
            {REREADS[value]}
          </Radio>
        ))}
      </FilterPopover>
      <FilterPopover
        label="Rating"
        value={minRating > 0 ? `Rating ${minRating}${minRating < 10 ? "+" : ""}` : ""}
        onClear={() => onChange({ minRating: 0 })}
        align="end"
      >
        <MinRating name="bar-rating" filter={filter} onChange={onChange} />
      </FilterPopover>
      <FilterPopover label="Dates" value={dates} onClear={() => onChange({ startDate: "", endDate: "" })} align="end">
        <Dates filter={filter} onChange={onChange} />
        <div className={css.periods}>
          {periods(today).map(({ label, startDate, endDate }) => (
            <button
              key={label}
              type="button"
              className={css.period}
              aria-pressed={startDate === filter.startDate && endDate === filter.endDate}
              onClick={() => onChange({ startDate, endDate })}
            >
              {label}
            </button>
          ))}
        </div>
      </FilterPopover>
      <button
        type="button"
        className={`${css.filter} ${css.more}`}
        data-on={chosen > 0 || undefined}
        aria-haspopup="dialog"
        onClick={() => setSheetOpen(true)}
      >
        <Icon name="sliders" />
        Filters
        {chosen > 0 && <span className={css.count}>{chosen}</span>}
      </button>
      <FilterSheet
        open={isSheetOpen}
        onOpenChange={setSheetOpen}
        filter={filter}
        options={options}
        today={today}
        onChange={onChange}
        onReset={onReset}
        matching={matching}
      />
    </div>
  );
}

interface FilterPopoverProps {
  label: string;
  /** What is chosen: a number of things, or a value in place of the label. */
  count?: number;
  value?: string;
  align?: "start" | "end";
  onClear: () => void;
  children: ReactNode;
}

/** A filter's button, and the panel it opens. What is chosen there acts at once. */
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

/** The lowest rating that counts. */
export function MinRating({ name, filter, onChange }: Pick<FilterControls, "filter" | "onChange"> & { name: string }) {
  return (
    <fieldset className={css.rating}>
      <legend className="label">Minimum rating</legend>
      <RatingScale name={name} value={filter.minRating} onChoose={(minRating) => onChange({ minRating })} />
      <p className="hint">0 keeps unrated books.</p>
    </fieldset>
  );
}

/** The bounds of the completion date. A half-typed date is no date yet, and the browser says "". */
export function Dates({ filter, onChange }: Pick<FilterControls, "filter" | "onChange">) {
  return (
    <div className={css.dates}>
      <Field label="From">
        <Input
          type="date"
          value={filter.startDate}
          max={filter.endDate || undefined}
          onChange={(event) => onChange({ startDate: event.target.value })}
        />
      </Field>
      <Field label="To">
        <Input
          type="date"
          value={filter.endDate}
          min={filter.startDate || undefined}
          onChange={(event) => onChange({ endDate: event.target.value })}
        />
      </Field>
    </div>
  );
}
