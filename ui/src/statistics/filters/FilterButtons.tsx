import { memo, useState } from "react";
import { Button } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { Popover, PopoverClose } from "../../kit/ui/Popover";
import type { FilterControls } from "./controls";
import css from "./Filters.module.css";
import { chipsOf, filtersOf, without } from "./filters";

const FilterSheet = lazyDialog(() => import("./FilterSheet").then((all) => all.FilterSheet));

/** The filters beside the title search, each a button with a panel. A choice in a panel takes effect at once. */
export const FilterButtons = memo(function FilterButtons(controls: FilterControls) {
  const { filter, today, onChange } = controls;
  return filtersOf(controls).map((row) => {
    const { label, Panel, chips, value, align } = row;
    const chosen = chips(filter, today).length;
    return (
      <Popover
        key={label}
        label={label}
        align={align}
        className={css.popover}
        trigger={
          <button type="button" className={`${css.filter} ${css.wide}`} data-on={chosen > 0 || undefined}>
            {value?.(filter, today) || label}
            {!value && chosen > 0 && <span className={css.count}>{chosen}</span>}
            <Icon name="chevron" />
          </button>
        }
        foot={
          <>
            <Button variant="quiet" size="compact" onClick={() => onChange(without(row))}>
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
        <Panel {...controls} />
      </Popover>
    );
  });
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
