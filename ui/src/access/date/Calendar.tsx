import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { dateBefore, monthName, wholeDay } from "../../kit/format";
import { lastDayOf } from "../../kit/roughDate";
import { Button, IconButton } from "../../kit/ui/Button";
import { Select } from "../../kit/ui/Field";
import { weeksOf } from "../../kit/weeks";
import css from "./DateField.module.css";

interface CalendarProps {
  /** The day that is chosen, or at which to begin, yyyy-MM-dd. */
  day: string;
  today: string;
  min: string;
  max: string;
  /** Whether a whole month and a whole year may be chosen. */
  rough: boolean;
  /** A day as yyyy-MM-dd, or the first and the last day with a slash between. */
  onChoose: (chosen: string) => void;
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, "0"));

/** How far a key moves, in days. */
const STEPS: Record<string, number> = { ArrowUp: -7, ArrowDown: 7, ArrowLeft: -1, ArrowRight: 1 };

/** The same day some months later, or the last one of that month. */
function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const moved = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);
  const last = lastDayOf(moved);
  const same = moved + day.slice(7);
  return same < last ? same : last;
}

/** A month of days. The arrow keys move between them, Page Up and Page Down between the months. */
export function Calendar({ day: chosen, today, min, max, rough, onChoose }: CalendarProps) {
  const [day, setDay] = useState(chosen);
  const days = useRef<HTMLTableElement>(null);
  const [isMoved, setMoved] = useState(true);
  const month = day.slice(0, 7);
  const [year = "", ofYear = ""] = month.split("-");
  const last = lastDayOf(month);
  const go = (to: string, moves = false) => {
    setDay(to < min ? min : to > max ? max : to);
    setMoved(moves);
  };
  // The focus goes along with the keys, and to the chosen day at first.
  useEffect(() => {
    if (isMoved) days.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day, isMoved]);
  const onKeyDown = (event: KeyboardEvent) => {
    const isTurned = document.documentElement.dir === "rtl" && event.key.match(/Left|Right/);
    const step = (STEPS[event.key] ?? 0) * (isTurned ? -1 : 1);
    const months = { PageUp: -1, PageDown: 1 }[event.key] ?? 0;
    if (step === 0 && months === 0) return;
    event.preventDefault();
    go(months === 0 ? dateBefore(day, { days: -step }) : monthsLater(day, months), true);
  };
  const years = Array.from({ length: Number(max.slice(0, 4)) - Number(min.slice(0, 4)) + 1 }, (_, at) =>
    String(Number(max.slice(0, 4)) - at),
  );
  const whole = (from: string, to: string) => onChoose(`${from}/${to}`);
  return (
    <>
      <div className={css.head}>
        <IconButton
          icon="right"
          className={css.before}
          label="Month before"
          disabled={month === min.slice(0, 7)}
          onClick={() => go(monthsLater(day, -1))}
        />
        <Select
          aria-label="Month"
          options={MONTHS.map((value) => ({ value, label: monthName(`${year}-${value}`) }))}
          value={ofYear}
          onChoose={(value) => go(monthsLater(`${year}-01${day.slice(7)}`, Number(value) - 1))}
        />
        <Select
          aria-label="Year"
          options={years.map((value) => ({ value, label: value }))}
          value={year}
          onChoose={(value) => go(monthsLater(day, 12 * (Number(value) - Number(year))))}
        />
        <IconButton
          icon="right"
          label="Month after"
          disabled={month === max.slice(0, 7)}
          onClick={() => go(monthsLater(day, 1))}
        />
      </div>
      <table ref={days} className={css.days} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name}>
                <span aria-hidden="true">{name.slice(0, 2)}</span>
                <span className="vh">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((one) => one !== null)}>
              {week.map((one, at) => (
                <td key={one ?? WEEKDAYS[at]}>
                  {one && (
                    <button
                      type="button"
                      data-day={one}
                      tabIndex={one === day ? 0 : -1}
                      aria-label={wholeDay(one)}
                      aria-current={one === today ? "date" : undefined}
                      aria-pressed={one === chosen}
                      disabled={one < min || one > max}
                      onClick={() => onChoose(one)}
                    >
                      {Number(one.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={css.foot}>
        <Button variant="quiet" size="compact" disabled={today < min || today > max} onClick={() => onChoose(today)}>
          Today
        </Button>
        {rough && (
          <span>
            <Button variant="quiet" size="compact" onClick={() => whole(`${month}-01`, last)}>
              Just {monthName(month)}
            </Button>
            <Button variant="quiet" size="compact" onClick={() => whole(`${year}-01-01`, `${year}-12-31`)}>
              Just {year}
            </Button>
          </span>
        )}
      </div>
    </>
  );
}
