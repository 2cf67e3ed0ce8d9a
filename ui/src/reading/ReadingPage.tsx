import { useQuery } from "@tanstack/react-query";
import { usePreferences } from "../access/preferences";
import { errorMessage } from "../kit/api/client";
import { paths } from "../kit/paths";
import { bluesByRank } from "../kit/spine/rank";
import { LinkButton } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/NotFetched";
import { Page } from "../kit/ui/Page";
import { Spinner } from "../kit/ui/Waiting";
import { optionsQuery } from "../library/books/api";
import { readingDaysQuery } from "./api";
import { Calendar } from "./Calendar";
import { Goals } from "./Goals";
import { dayName } from "./model";
import { OpenBooks } from "./OpenBooks";
import css from "./Reading.module.css";

/** What is being read, the goals of the year and the month, and the calendar of the year. */
export default function ReadingPage() {
  const { data, error, refetch } = useQuery(readingDaysQuery);
  const { data: preferences } = usePreferences();
  const { data: options } = useQuery(optionsQuery);
  const blueOf = bluesByRank(options?.genres.map(({ name }) => name) ?? []);
  return (
    <Page title="Reading">
      <header className={css.head}>
        <h1 className="h1">Reading</h1>
        {data && <p className={css.today}>{dayName(data.today)}</p>}
      </header>
      {error && (
        <NotFetched onRetry={refetch}>{errorMessage(error, "What you are reading could not be loaded.")}</NotFetched>
      )}
      {!data && !error && <Spinner>Fetching what you are reading</Spinner>}
      {data && (
        <>
          <div className={css.columns}>
            {data.open.length > 0 ? (
              <OpenBooks open={data.open} today={data.today} blueOf={blueOf} />
            ) : (
              <Empty
                title="Nothing open right now."
                action={<LinkButton href={paths.tbr()}>Start something from your list</LinkButton>}
              >
                Start something from your list, or write down what you are in the middle of.
              </Empty>
            )}
            <Goals goals={data.goals} today={data.today} pace={preferences?.goalPace ?? true} blueOf={blueOf} />
          </div>
          <Calendar today={data.today} open={data.open} />
        </>
      )}
    </Page>
  );
}
