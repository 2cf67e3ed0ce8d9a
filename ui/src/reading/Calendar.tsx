import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, memo, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSubscription } from "../access/subscription";
import { errorMessage } from "../kit/api/client";
import type { OpenBook, ReadingCalendar } from "../kit/api/types";
import { counted, monthName, shortCounted, shortMonthName, whole } from "../kit/format";
import { Button, IconButton } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/Fetched";
import { lazyDialog } from "../kit/ui/lazyPart";
import { Panel } from "../kit/ui/Panel";
import { weeksOf } from "../kit/weeks";
import { dayIn } from "../library/books/read";
import type { QueueEntry } from "../library/outbox/mutation";
import { calendarQuery } from "./api";
import css from "./Calendar.module.css";
import { CalendarTable } from "./CalendarTable";
import { type Known, useKnown } from "./calendarDays";
import { dayName, dayText, levelOf, monthLine, queuedByDay } from "./model";

const DayView = lazyDialog(() => import("./DayView").then((all) => all.DayView));
const ForgottenDay = lazyDialog(() => import("./ForgottenDay").then((all) => all.ForgottenDay));

const NO_DAYS = "Days appear here when you note your place. Imported books don't have any.";
const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);
/** The months that a phone shows at first: as many as fit on its screen. */
const ON_PHONES = 4;
/** The first year that has a calendar. */
const FIRST_YEAR = 1900;

interface CalendarProps {
  today: string;
  open: readonly OpenBook[];
  /** What this browser keeps for the server. */
  queued: readonly QueueEntry[];
}

/** The days of a year, as a small shelf a week, or as a table: at first those of the running year. */
export function Calendar({ today, open, queued }: CalendarProps) {
  const running = Number(today.slice(0, 4));
  const [year, setYear] = useState(running);
  const { historyMonths = null } = useSubscription().data?.limits ?? {};
  const waiting = useMemo(
    () => new Map([...queuedByDay(queued)].filter(([date]) => date.startsWith(`${year}-`))),
    [queued, year],
  );
  // The year before stays until the other one has arrived, so that nothing moves below the pointer.
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...calendarQuery(year),
    placeholderData: keepPreviousData,
  });
  const back = useRef<HTMLButtonElement>(null);
  const onwards = () => {
    // The button to the next year goes with the running one.
    if (year + 1 === running) back.current?.focus();
    setYear(year + 1);
  };
  const [isTable, setIsTable] = useState(false);
  const [adds, setAdds] = useState(false);
  const isEmpty = data && data.days.length + data.finished.length + waiting.size === 0;
  return (
    <Panel
      title={`Days of ${year}`}
      end={
        <>
          <span className={css.years}>
            {year > FIRST_YEAR && (
              <IconButton
                ref={back}
                icon="right"
                compact
                className={css.back}
                label={`Days of ${year - 1}`}
                onClick={() => setYear(year - 1)}
              />
            )}
            {year < running && <IconButton icon="right" compact label={`Days of ${year + 1}`} onClick={onwards} />}
          </span>
          <Button size="compact" icon="plus" aria-haspopup="dialog" onClick={() => setAdds(true)}>
            Add a day
          </Button>
          {data && !isEmpty && (
            <Button
              variant="quiet"
              size="compact"
              icon="list"
              aria-pressed={isTable}
              onClick={() => setIsTable(!isTable)}
            >
              Table
            </Button>
          )}
        </>
      }
    >
      {error && <NotFetched onRetry={refetch}>{errorMessage(error, "The calendar could not be loaded.")}</NotFetched>}
      {data && isEmpty && (
        <Empty title={year === running ? "No days yet" : `Nothing was noted in ${year}`}>
          {year < running && historyMonths !== null ? `Your plan shows the last ${historyMonths} months.` : NO_DAYS}
        </Empty>
      )}
      {data && !isEmpty && (
        <div className={css.shown} data-leaving={isPlaceholderData || undefined}>
          <Days
            key={data.year}
            calendar={data}
            waiting={waiting}
            today={today}
            open={open}
            isTable={isTable}
            isRunning={data.year === running}
          />
        </div>
      )}
      {adds && <ForgottenDay open={open} today={today} onClose={() => setAdds(false)} />}
    </Panel>
  );
}

interface DaysProps {
  calendar: ReadingCalendar;
  waiting: Known["waiting"];
  today: string;
  open: readonly OpenBook[];
  isTable: boolean;
  /** Whether it is the running year. */
  isRunning: boolean;
}

function Days({ calendar, waiting, today, open, isTable, isRunning }: DaysProps) {
  const known = useKnown(calendar, waiting);
  const [opened, setOpened] = useState<string>();
  const words = calendar.days.reduce((sum, day) => sum + (day.words ?? 0), 0);
  const { streak } = calendar;
  return (
    <>
      <p className={css.note}>
        {calendar.days.length === 0 && waiting.size === 0 ? (
          NO_DAYS
        ) : (
          <>
            {counted(calendar.days.length, "day")}
            {words > 0 && `, ${shortCounted(words, "word")}`}. A day is a spine: the taller, the more you read.
          </>
        )}
      </p>
      {streak && isRunning && (
        <p className={css.streak}>
          {streak.since
            ? `${counted(streak.current, streak.unit.slice(0, -1))} in a row, since ${dayIn(streak.since, today)}. `
            : `No ${streak.unit} in a row right now. `}
          {streak.longest > streak.current && `The longest was ${whole(streak.longest)}.`}
        </p>
      )}
      {isTable ? (
        <CalendarTable calendar={calendar} known={known} />
      ) : (
        <Months year={calendar.year} known={known} today={today} isRunning={isRunning} onOpen={setOpened} />
      )}
      {opened && (
        <DayView
          date={opened}
          day={known.days.get(opened)}
          finished={known.finished.get(opened) ?? []}
          titleOf={known.titleOf}
          waiting={known.waiting.get(opened) ?? []}
          today={today}
          open={open}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

interface MonthsProps {
  year: number;
  known: Known;
  today: string;
  isRunning: boolean;
  onOpen: (date: string) => void;
}

const Months = memo(function Months({ year, known, today, isRunning, onOpen }: MonthsProps) {
  const hint = useId();
  const months = useRef<HTMLDivElement>(null);
  const [showsAll, setShowsAll] = useState(!isRunning);
  const [focused, setFocused] = useState(isRunning ? today : `${year}-12-31`);
  const to = isRunning ? monthOf(today) : 12;
  const from = Math.min(firstMonth(known), to);
  const first = Math.max(from, to - ON_PHONES + 1);

  const move = (event: KeyboardEvent<HTMLElement>) => {
    const next = moved(focused, event.key, from, to);
    if (!next?.startsWith(String(year)) || monthOf(next) < from || monthOf(next) > to) return;
    event.preventDefault();
    const grid = event.currentTarget;
    setFocused(next);
    setShowsAll((shown) => shown || monthOf(next) < first);
    requestAnimationFrame(() => grid.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus());
  };

  // The first day takes the focus from the button, which goes.
  const showAll = () => {
    flushSync(() => setShowsAll(true));
    months.current?.querySelector<HTMLElement>("[data-day]")?.focus();
  };

  const monthAt = (number: number) => `${year}-${String(number).padStart(2, "0")}`;
  return (
    <>
      {first > from && !showsAll && (
        <Button variant="quiet" size="compact" icon="up" className={css.earlier} onClick={showAll}>
          {first === from + 1
            ? monthName(monthAt(from))
            : `${monthName(monthAt(from))} to ${monthName(monthAt(first - 1))}`}
        </Button>
      )}
      <p className="vh" id={hint}>
        Arrow keys move from day to day, Page Up and Page Down from month to month, Enter opens the day.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: each day is a button with a name, and arrow keys move between them */}
      <div
        ref={months}
        className={css.months}
        data-all={showsAll || undefined}
        role="group"
        aria-label={`Days of ${year}`}
        aria-describedby={hint}
        onKeyDown={move}
      >
        {MONTHS.slice(from - 1, to).map((number) => {
          const prefix = monthAt(number);
          const noted = [...known.days.values()].filter(({ day }) => day.startsWith(prefix));
          return (
            <section key={number} className={css.month} data-early={number < first || undefined}>
              <h3 className={css.monthName}>
                {shortMonthName(prefix)} <span className={css.sum}>{monthLine(noted)}</span>
              </h3>
              {weeksOf(prefix).map((week) => (
                <div key={week.find((date) => date !== null)} className={css.week}>
                  {week.map(
                    (date, weekday) =>
                      date && (
                        <Day
                          key={date}
                          date={date}
                          weekday={weekday}
                          known={known}
                          today={today}
                          isFocused={date === focused}
                          onFocus={setFocused}
                          onOpen={onOpen}
                        />
                      ),
                  )}
                </div>
              ))}
            </section>
          );
        })}
      </div>
      <Key waits={known.waiting.size > 0} />
    </>
  );
});

interface DayProps {
  date: string;
  /** 0 for Monday to 6 for Sunday. */
  weekday: number;
  known: Known;
  today: string;
  isFocused: boolean;
  onFocus: (date: string) => void;
  onOpen: (date: string) => void;
}

function Day({ date, weekday, known, today, isFocused, onFocus, onOpen }: DayProps) {
  const day = known.days.get(date);
  const finished = known.finished.get(date)?.map(known.titleOf) ?? [];
  const waiting = known.waiting.get(date);
  const text = `${dayName(date)}: ${dayText(day, finished, known.titleOf, waiting)}`;
  return (
    <button
      type="button"
      className={css.day}
      style={{ gridColumn: weekday + 1 }}
      data-day={date}
      data-level={day && levelOf(day)}
      data-finished={finished.length > 0 || undefined}
      data-waits={waiting !== undefined || undefined}
      data-today={date === today || undefined}
      data-ahead={date > today || undefined}
      tabIndex={isFocused ? 0 : -1}
      aria-label={text}
      title={text}
      aria-haspopup="dialog"
      onFocus={() => onFocus(date)}
      onClick={() => onOpen(date)}
    >
      {day && <i />}
    </button>
  );
}

const monthOf = (date: string) => Number(date.slice(5, 7));

/** The month of the first note of a year; without notes that of the first finished book. */
function firstMonth({ days, waiting, finished }: Known): number {
  const noted = [...days.keys(), ...waiting.keys()];
  return Math.min(12, ...(noted.length > 0 ? noted : [...finished.keys()]).map(monthOf));
}

/** The day that a key leads to in the months shown; null for another key. */
function moved(date: string, key: string, first: number, last: number): string | null {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const to = (month: number, day: number) => new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  const inMonth = (month: number) => to(month, Math.min(day, new Date(Date.UTC(year, month, 0)).getUTCDate()));
  switch (key) {
    case "ArrowLeft":
      return to(month, day - 1);
    case "ArrowRight":
      return to(month, day + 1);
    case "ArrowUp":
      return to(month, day - 7);
    case "ArrowDown":
      return to(month, day + 7);
    case "PageUp":
      return inMonth(month - 1);
    case "PageDown":
      return inMonth(month + 1);
    case "Home":
      return to(first, 1);
    case "End":
      return to(last + 1, 0);
    default:
      return null;
  }
}

const KEY: readonly { level?: number; label: string }[] = [
  { level: 0, label: "read, amount not known" },
  { level: 1, label: "under 4,500 words" },
  { level: 2, label: "to 9,000" },
  { level: 3, label: "to 16,000" },
  { level: 4, label: "more" },
  { label: "finished a book" },
];

function Key({ waits }: { waits: boolean }) {
  return (
    <ul className={css.key} aria-hidden="true">
      {KEY.map(({ level, label }) => (
        <li key={label}>
          <span className={css.day} data-level={level} data-finished={level === undefined || undefined}>
            {level !== undefined && <i />}
          </span>
          {label}
        </li>
      ))}
      {waits && (
        <li>
          <span className={css.day} data-waits />
          waits in this browser
        </li>
      )}
    </ul>
  );
}
