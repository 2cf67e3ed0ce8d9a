import type { Filter } from "./filter";
import type { FilterOptions } from "./options";

/** What every control of the filters needs. */
export interface FilterControls {
  /** The filter; its title search is ignored here. */
  filter: Filter;
  options: FilterOptions;
  /** Whether books of every status are shown, so that they can be filtered by it. */
  withStatus: boolean;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  onChange: (part: Partial<Filter>) => void;
  onReset: () => void;
}

export interface PanelProps extends FilterControls {
  /** Whether it is in the sheet of a phone, among all other panels. */
  inSheet?: boolean;
}
