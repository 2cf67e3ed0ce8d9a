import { type ReactNode, useState } from "react";
import { genreKey, nameKey, titleKey } from "../../kit/fold";
import { whole } from "../../kit/format";
import { Checkbox } from "../../kit/ui/Choice";
import { SearchField } from "../../kit/ui/SearchField";
import css from "./Filters.module.css";

/** One name that can be filtered by. */
export interface Option {
  name: string;
  /** The number of finished books with that name. */
  books: number;
  /** What is shown in place of the name. */
  label?: string;
  /** Shown before the name: a swatch, an icon. */
  mark?: ReactNode;
}

/** The number of options shown at a time: readers search a list of thousands instead of reading it. */
const SHOWN = 100;

interface ChecklistProps {
  /** What the options are: "genres". */
  name: string;
  options: readonly Option[];
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
  /** Whether there is a search field, for lists that can be long. */
  searchable?: boolean;
}

/**
 * Options with a checkbox each, most books first. A chosen option that no longer exists stays in the list, so that it
 * can be removed.
 */
export function Checklist({ name, options, chosen, onChoose, searchable }: ChecklistProps) {
  const [sought, setSought] = useState("");
  const known = new Set(options.map((option) => option.name));
  const all: Option[] = [
    ...options,
    ...chosen.filter((one) => !known.has(one)).map((one) => ({ name: one, books: 0 })),
  ];
  const isFound = ({ name, label = name }: Option) =>
    [titleKey, nameKey, genreKey].some((key) => key(label).includes(key(sought.trim())));
  const found = sought.trim() === "" ? all : all.filter(isFound);
  const rest = found.length - SHOWN;
  return (
    <>
      {searchable && (
        <SearchField
          look="line"
          label={`Find ${name}`}
          placeholder={`Find ${name}`}
          value={sought}
          onSearch={setSought}
        />
      )}
      <div className={searchable ? css.list : undefined}>
        {found.slice(0, SHOWN).map((option) => (
          <OptionBox key={option.name} option={option} chosen={chosen} onChoose={onChoose} />
        ))}
        {found.length === 0 && <p className="hint">No {name} of that name</p>}
        {rest > 0 && <p className="hint">Type to find {whole(rest)} more</p>}
      </div>
    </>
  );
}

interface OptionBoxProps extends Pick<ChecklistProps, "chosen" | "onChoose"> {
  option: Option;
}

function OptionBox({ option, chosen, onChoose }: OptionBoxProps) {
  const { name, label = name, books, mark } = option;
  const isChosen = chosen.includes(name);
  const others = chosen.filter((other) => other !== name);
  return (
    <Checkbox checked={isChosen} count={whole(books)} onChange={() => onChoose(isChosen ? others : [...others, name])}>
      <span className={css.option}>
        {mark}
        <span dir="auto">{label}</span>
      </span>
    </Checkbox>
  );
}

interface ShortChecklistProps extends Omit<ChecklistProps, "searchable"> {
  /** The number of options before "All n genres". */
  first: number;
}

/** The first few options, and all of them on request: for the phone's sheet. */
export function ShortChecklist({ first, ...rest }: ShortChecklistProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { name, options, chosen, onChoose } = rest;
  if (showsAll || options.length <= first) return <Checklist {...rest} searchable={options.length > first} />;
  const shown = options.filter((option, i) => i < first || chosen.includes(option.name));
  return (
    <>
      <Checklist name={name} options={shown} chosen={chosen} onChoose={onChoose} />
      <button type="button" className={css.all} onClick={() => setShowsAll(true)}>
        All {whole(options.length)} {name}
      </button>
    </>
  );
}
