import type { ComponentType } from "react";
import { languageName } from "../../kit/language";
import { STATUS_WORDS } from "../../kit/words";
import { Checklist, ShortChecklist } from "./Checklist";
import type { FilterControls, PanelProps } from "./controls";
import { MinRating, More, Period, RereadsChoice } from "./FilterPanels";
import { type Filter, type FilterChip, filterPeriodName, REREADS, UNFILTERED } from "./filter";

/** A filter of the bar: a button with a panel, which stands in the sheet on a phone, and a chip for each choice. */
interface FilterRow {
  label: string;
  /** The parts of the filter that it sets. */
  keys: readonly (keyof Filter)[];
  Panel: ComponentType<PanelProps>;
  /** The active choices; `today` is in the reader's time zone, yyyy-MM-dd. */
  chips: (filter: Filter, today: string) => FilterChip[];
  /** What the button says in place of its label and the number of choices. */
  value?: (filter: Filter, today: string) => string;
  /** Whether the panel names itself in the sheet. */
  isNamed?: true;
  /** Whether it is left out where only finished books are shown. */
  ofStatus?: true;
  align?: "end";
}

type ListKey = "genres" | "authors" | "tags" | "series" | "languages" | "formats" | "statuses";

/** A chip for each chosen value of a list. */
function each<K extends ListKey>(key: K, { [key]: values }: Filter, nameOf = (value: string) => value): FilterChip[] {
  return values.map((value) => ({
    label: nameOf(value),
    without: { [key]: values.filter((other) => other !== value) },
  }));
}

/** The chip of a single value, "" for none. */
function one(label: string, without: Partial<Filter>): FilterChip[] {
  return label ? [{ label, without }] : [];
}

const rereadsName = ({ reread }: Filter) => (reread === "include" ? "" : REREADS[reread]);

export const FILTERS: readonly FilterRow[] = [
  {
    label: "Genres",
    keys: ["genres"],
    Panel: ({ options, filter, onChange, inSheet }) => {
      const list = { name: "genres", options: options.genres, chosen: filter.genres };
      const onChoose = (genres: string[]) => onChange({ genres });
      return inSheet ? (
        <ShortChecklist {...list} first={4} onChoose={onChoose} />
      ) : (
        <Checklist {...list} searchable onChoose={onChoose} />
      );
    },
    chips: (filter) => each("genres", filter),
  },
  {
    label: "Authors",
    keys: ["authors"],
    Panel: ({ options, filter, onChange, inSheet }) => {
      const list = { name: "authors", options: options.authors, chosen: filter.authors };
      const onChoose = (authors: string[]) => onChange({ authors });
      return inSheet ? (
        <ShortChecklist {...list} first={3} onChoose={onChoose} />
      ) : (
        <Checklist {...list} searchable onChoose={onChoose} />
      );
    },
    chips: (filter) => each("authors", filter),
  },
  {
    label: "Formats",
    keys: ["formats"],
    Panel: ({ options, filter, onChange }) => (
      <Checklist
        name="formats"
        options={options.formats}
        chosen={filter.formats}
        onChoose={(chosen) => onChange({ formats: chosen as Filter["formats"] })}
      />
    ),
    chips: (filter) => each("formats", filter),
  },
  {
    label: "Rereads",
    keys: ["reread"],
    Panel: RereadsChoice,
    chips: (filter) => one(rereadsName(filter), { reread: UNFILTERED.reread }),
    value: rereadsName,
    isNamed: true,
  },
  {
    label: "Rating",
    keys: ["minRating"],
    Panel: MinRating,
    chips: ({ minRating }) =>
      one(minRating > 0 ? `Rating ${minRating}${minRating < 10 ? " and up" : ""}` : "", {
        minRating: UNFILTERED.minRating,
      }),
    value: ({ minRating }) => (minRating > 0 ? `Rating ${minRating}${minRating < 10 ? "+" : ""}` : ""),
    isNamed: true,
    align: "end",
  },
  {
    label: "Dates",
    keys: ["startDate", "endDate"],
    Panel: Period,
    chips: (filter, today) => one(filterPeriodName(filter, today), { startDate: "", endDate: "" }),
    value: filterPeriodName,
    align: "end",
  },
  {
    label: "More",
    keys: ["statuses", "tags", "series", "languages"],
    Panel: More,
    chips: (filter) => [
      ...each("statuses", filter, (status) => STATUS_WORDS[status as keyof typeof STATUS_WORDS]),
      ...each("tags", filter),
      ...each("series", filter),
      ...each("languages", filter, languageName),
    ],
    isNamed: true,
    ofStatus: true,
    align: "end",
  },
];

/** The filters of a page. */
export const filtersOf = ({ withStatus }: Pick<FilterControls, "withStatus">): readonly FilterRow[] =>
  FILTERS.filter(({ ofStatus }) => withStatus || !ofStatus);

/** The active filters without the title search, which its field shows anyway. */
export function chipsOf(filter: Filter, today: string): FilterChip[] {
  return FILTERS.flatMap(({ chips }) => chips(filter, today));
}

/** The change that takes all choices of a filter back. */
export function without({ keys }: FilterRow): Partial<Filter> {
  return Object.fromEntries(keys.map((key) => [key, UNFILTERED[key]]));
}
