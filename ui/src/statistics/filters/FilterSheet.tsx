import { counted } from "../../kit/format";
import { Button, IconButton } from "../../kit/ui/Button";
import { DialogClose, Sheet } from "../../kit/ui/Dialog";
import type { FilterControls } from "./controls";
import css from "./Filters.module.css";
import { filtersOf } from "./filters";

interface FilterSheetProps extends FilterControls {
  onClose: () => void;
  matching: number | null;
}

/** All filters of the bar, in a sheet at the lower edge of a phone. */
export function FilterSheet({ onClose, matching, ...controls }: FilterSheetProps) {
  const foot = (
    <>
      <Button onClick={controls.onReset}>Reset Filters</Button>
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
        {filtersOf(controls).map(({ label, Panel, isNamed }) =>
          isNamed ? (
            <Panel key={label} {...controls} inSheet />
          ) : (
            <fieldset key={label}>
              <legend className="label">{label}</legend>
              <Panel {...controls} inSheet />
            </fieldset>
          ),
        )}
      </div>
    </Sheet>
  );
}
