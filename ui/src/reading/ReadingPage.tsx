import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useMemo } from "react";
import { useLocation, useSearchParams } from "wouter";
import { usePreferences } from "../access/preferences";
import { useToday } from "../access/today";
import { errorMessage } from "../kit/api/client";
import type { ReadingDays } from "../kit/api/types";
import { paths } from "../kit/paths";
import { bluesByRank } from "../kit/spine/rank";
import { LinkButton, TextLink } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/Fetched";
import { Page } from "../kit/ui/Page";
import { useStepFocus } from "../kit/ui/useStepFocus";
import { Spinner } from "../kit/ui/Waiting";
import { optionsQuery } from "../library/books/api";
import { readingDaysQuery } from "../library/books/workQueries";
import { withQueued } from "../library/outbox/mutation";
import { Outbox } from "../library/outbox/Outbox";
import { useQueue } from "../library/outbox/useOutbox";
import { Calendar } from "./Calendar";
import { Goals } from "./Goals";
import { dayName } from "./model";
import { useNewYear } from "./newYear";
import { OpenBooks } from "./OpenBooks";
import css from "./Reading.module.css";

/** What is being read, the goals of the year and the month, and the calendar of the year. */
export default function ReadingPage() {
  const { data, error, refetch } = useQuery(readingDaysQuery);
  const { pending, delivered } = useQueue();
  const { data: preferences } = usePreferences();
  const { data: options } = useQuery(optionsQuery);
  const newYear = useNewYear(data);
  const isStarting = useStart(data, error !== null);
  const reading = newYear.isLoading || isStarting ? undefined : data;
  const clock = useToday();
  // An answer from before midnight, or from the worker's cache, has an earlier day.
  const today = reading && reading.today > clock ? reading.today : clock;
  const blueOf = bluesByRank(options?.genres.map(({ name }) => name) ?? []);
  const queued = useMemo(() => [...delivered, ...pending], [delivered, pending]);
  const open = withQueued(reading?.open ?? [], queued);
  // The buttons of the last book go with it.
  const heading = useStepFocus<HTMLHeadingElement>(reading && open.length > 0, { onlyIfLost: true });
  return (
    <Page title="Reading">
      <header className={`page-head ${css.head}`}>
        <div>
          <h1 className="h1" ref={heading} tabIndex={-1}>
            Reading
          </h1>
          {reading && <p className={css.today}>{dayName(today)}</p>}
        </div>
        {reading && (
          <div className="page-head-actions">
            <TextLink icon="right" href={paths.review(today.slice(0, 4))}>
              Your {today.slice(0, 4)} so far
            </TextLink>
          </div>
        )}
      </header>
      {error && (
        <NotFetched onRetry={refetch}>{errorMessage(error, "What you are reading could not be loaded.")}</NotFetched>
      )}
      {!reading && !error && <Spinner>Fetching what you are reading</Spinner>}
      {reading && (
        <>
          <Outbox today={today} />
          <div className={css.columns}>
            {open.length > 0 ? (
              <OpenBooks open={open} today={today} blueOf={blueOf} />
            ) : (
              <Empty
                title="Nothing open"
                action={
                  <>
                    <LinkButton variant="primary" href={paths.addBook({ status: "in-progress" })}>
                      Add a book you're reading
                    </LinkButton>
                    <LinkButton href={paths.tbr()}>Choose from your list</LinkButton>
                  </>
                }
              >
                Add a book you're reading, or start something from your list.
              </Empty>
            )}
            <Goals
              goals={reading.goals}
              today={today}
              pace={preferences?.goalPace ?? true}
              blueOf={blueOf}
              newYear={newYear}
            />
          </div>
          <Calendar today={today} open={open} queued={queued} />
        </>
      )}
    </Page>
  );
}

/**
 * The installed app starts at `/reading?start`, which leads on to the dashboard while no book is open. Returns true until that is decided.
 */
function useStart(reading: ReadingDays | undefined, hasFailed: boolean): boolean {
  const [, navigate] = useLocation();
  const [parameters] = useSearchParams();
  const isStarting = parameters.has("start");
  const isDecided = reading !== undefined || hasFailed;
  const isOpen = reading !== undefined && reading.open.length > 0;
  useLayoutEffect(() => {
    if (isStarting && isDecided) navigate(isOpen ? paths.reading() : paths.dashboard(), { replace: true });
  }, [isStarting, isDecided, isOpen, navigate]);
  return isStarting;
}
