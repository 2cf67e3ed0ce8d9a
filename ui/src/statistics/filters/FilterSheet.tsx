import { counted } from "../../kit/format";
import { Button, IconButton } from "../../kit/ui/Button";
import { DialogClose, Sheet } from "../../kit/ui/Dialog";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { Checklist, ShortChecklist } from "./Checklist";
import type { FilterControls } from "./controls";
import { MinRating, More, Period, StatusChoice } from "./FilterPanels";
import css from "./Filters.module.css";
import type { Filter } from "./filter";

interface FilterSheetProps extends FilterControls {
  onClose: () => void;
  matching: number | null;
}

/** All filters of the bar, in a sheet at the lower edge of a phone. */
export function FilterSheet(props: FilterSheetProps) {
  const { onClose, filter, options, withStatus, today, onChange, onReset, matching } = props;
  const foot = (
    <>
      <Button onClick={onReset}>Reset Filters</Button>
      <Button variant="primary" onClick={onClose}>
        {matching === null ? "Show books" : `Show ${counted(matching, "book")}`}
      </Button>
    </>
  );
  return (
    <Sheet onClose={onClose} title="Filters" foot={foot}>
      <div className={css.close}>
        <DialogClose>
          <IconButton icon="x" label="Close" />
        </DialogClose>
      </div>
      <div className={css.sheet}>
        <fieldset>
          <legend className="label">Genres</legend>
          <ShortChecklist
            name="genres"
            first={4}
            options={options.genres}
            chosen={filter.genres}
            onChoose={(genres) => onChange({ genres })}
          />
        </fieldset>
        <fieldset>
          <legend className="label">Authors</legend>
          <ShortChecklist
            name="authors"
            first={3}
            options={options.authors}
            chosen={filter.authors}
            onChoose={(authors) => onChange({ authors })}
          />
        </fieldset>
        <fieldset>
          <legend className="label">Formats</legend>
          <Checklist
            name="formats"
            options={options.formats}
            chosen={filter.formats}
            onChoose={(chosen) => onChange({ formats: chosen as Filter["formats"] })}
          />
        </fieldset>
        {withStatus && (
          <fieldset>
            <legend className="label">Status</legend>
            <StatusChoice filter={filter} onChange={onChange} />
          </fieldset>
        )}
        {withStatus && <More filter={filter} onChange={onChange} />}
        <div>
          <p className="label" aria-hidden="true">
            Rereads
          </p>
          <SegmentedControl
            label="Rereads"
            options={[
              { value: "include", label: "Include" },
              { value: "exclude", label: "Exclude" },
              { value: "only", label: "Only" },
            ]}
            value={filter.reread}
            onChoose={(reread) => onChange({ reread })}
            fill
          />
        </div>
        <MinRating name="sheet-rating" filter={filter} onChange={onChange} />
        <fieldset>
          <legend className="label">Dates</legend>
          <Period filter={filter} today={today} onChange={onChange} />
        </fieldset>
      </div>
    </Sheet>
  );
}
