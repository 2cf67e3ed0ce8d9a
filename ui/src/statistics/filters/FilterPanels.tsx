import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DateField } from "../../access/date/DateField";
import { languageName } from "../../kit/language";
import { isDay } from "../../kit/roughDate";
import { Checkbox, Radio } from "../../kit/ui/Choice";
import { NotFetched } from "../../kit/ui/Fetched";
import { Fold, Folds } from "../../kit/ui/Fold";
import { RatingScale } from "../../kit/ui/RatingScale";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { Spinner } from "../../kit/ui/Waiting";
import { STATUS_WORDS, valuesOf } from "../../kit/words";
import { languagesQuery, oldestQuery, seriesQuery, tagsQuery } from "../../library/books/api";
import { Checklist, type Option } from "./Checklist";
import type { FilterControls, PanelProps } from "./controls";
import css from "./Filters.module.css";
import { earlierYears, periods, REREADS, type Rereads } from "./filter";

/** The filters that are used less often, each folded: status, and tags, series and languages where the library has any. */
export function More({ filter, onChange }: Pick<FilterControls, "filter" | "onChange">) {
  return (
    <div className={css.rare}>
      <Folds>
        <Fold title="Status" holds={chosenOf(filter.statuses)}>
          <StatusChoice filter={filter} onChange={onChange} />
        </Fold>
        <Collections filter={filter} onChange={onChange} />
      </Folds>
    </div>
  );
}

const chosenOf = (values: readonly string[]) => (values.length === 0 ? "any" : `${values.length} chosen`);

function StatusChoice({ filter: { statuses }, onChange }: Pick<FilterControls, "filter" | "onChange">) {
  const choices = valuesOf(STATUS_WORDS).map((status) => {
    const others = statuses.filter((other) => other !== status);
    const isChosen = others.length < statuses.length;
    return (
      <Checkbox
        key={status}
        checked={isChosen}
        onChange={() => onChange({ statuses: isChosen ? others : [...statuses, status] })}
      >
        {STATUS_WORDS[status]}
      </Checkbox>
    );
  });
  return <div>{choices}</div>;
}

function Collections({ filter, onChange }: Pick<FilterControls, "filter" | "onChange">) {
  const all = [useQuery(tagsQuery), useQuery(seriesQuery), useQuery(languagesQuery)] as const;
  const [{ data: tags }, { data: series }, { data: languages }] = all;
  if (!(tags && series && languages)) {
    const failed = all.filter(({ data, isError }) => !data && isError);
    if (failed.length === 0) return <Spinner>Fetching the choices</Spinner>;
    const retry = () => failed.map(({ refetch }) => refetch());
    return <NotFetched onRetry={retry}>The choices could not be loaded.</NotFetched>;
  }
  const ofSeries = series.map(({ name, read, open }) => ({ name, books: read + open }));
  return (
    <>
      <Choice label="Tags" options={tags} chosen={filter.tags} onChoose={(chosen) => onChange({ tags: chosen })} />
      <Choice
        label="Series"
        options={ofSeries}
        chosen={filter.series}
        onChoose={(chosen) => onChange({ series: chosen })}
      />
      <Choice
        label="Languages"
        options={languages.map((one) => ({ ...one, label: languageName(one.name) }))}
        chosen={filter.languages}
        onChoose={(chosen) => onChange({ languages: chosen })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly Option[];
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
}

/** A folded list of choices. It is left out without any choice. */
function Choice({ label, options, chosen, onChoose }: ChoiceProps) {
  if (options.length + chosen.length === 0) return null;
  return (
    <Fold title={label} holds={chosenOf(chosen)}>
      <div>
        <Checklist
          name={label.toLowerCase()}
          options={options}
          chosen={chosen}
          onChoose={onChoose}
          searchable={options.length > SEARCHABLE_FROM}
        />
      </div>
    </Fold>
  );
}

/** A list with more options than this has a search field. */
const SEARCHABLE_FROM = 8;

export function RereadsChoice({ filter, onChange, inSheet }: PanelProps) {
  if (inSheet) {
    return (
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
    );
  }
  return (Object.keys(REREADS) as Rereads[]).map((value) => (
    <Radio key={value} name="rereads" checked={filter.reread === value} onChange={() => onChange({ reread: value })}>
      {REREADS[value]}
    </Radio>
  ));
}

/** Two dates, the most common periods, and each year back to the first book. */
export function Period({ filter, today, onChange }: Pick<FilterControls, "filter" | "today" | "onChange">) {
  const { data: oldest } = useQuery(oldestQuery);
  const all = [...periods(today), ...(oldest ? earlierYears(today, oldest) : [])];
  return (
    <>
      <Dates filter={filter} onChange={onChange} />
      <div className={css.periods}>
        {all.map(({ label, startDate, endDate }) => (
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
    </>
  );
}

/** The lowest rating that the filter lets through. */
export function MinRating({ filter, onChange }: Pick<FilterControls, "filter" | "onChange">) {
  return (
    <fieldset className={css.rating}>
      <legend className="label">Minimum rating</legend>
      <RatingScale name="minimum-rating" value={filter.minRating} onChoose={(minRating) => onChange({ minRating })} />
      <p className="hint">0 keeps unrated books.</p>
    </fieldset>
  );
}

/** The bounds of the completion date. */
export function Dates({ filter, onChange }: Pick<FilterControls, "filter" | "onChange">) {
  const { startDate, endDate } = filter;
  const isTurned = startDate !== "" && endDate !== "" && startDate > endDate;
  return (
    <>
      <div className={css.dates}>
        <Bound label="From" day={startDate} onChange={(day) => onChange({ startDate: day })} />
        <Bound label="To" day={endDate} onChange={(day) => onChange({ endDate: day })} />
      </div>
      {isTurned && (
        <p className="hint" role="status">
          “From” is after “To”, so no book matches.
        </p>
      )}
    </>
  );
}

interface BoundProps {
  label: string;
  /** yyyy-MM-dd, "" without a bound. */
  day: string;
  onChange: (day: string) => void;
}

/** One bound. What is no day yet is not searched for. */
function Bound({ label, day, onChange }: BoundProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <DateField
      label={label}
      value={typed ?? day}
      onChange={(value) => {
        const isWhole = value === "" || isDay(value);
        setTyped(isWhole ? null : value);
        if (isWhole) onChange(value);
      }}
    />
  );
}
