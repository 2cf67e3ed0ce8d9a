import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { usePreferences } from "../../access/preferences";
import type { MemberShare, Tally, Team, TeamStats } from "../../kit/api/types";
import { counted, today as todayIn } from "../../kit/format";
import { paths } from "../../kit/paths";
import { bluesByRank } from "../../kit/spine/rank";
import { Banner } from "../../kit/ui/Alert";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { useLast } from "../../kit/useLast";
import { useChangePreferences } from "../../preferences/change";
import { SharingSetting, whatIsShared } from "../../preferences/SharingSetting";
import { Figures, FiguresWithout } from "../../statistics/charts/Figures";
import { FilterSection } from "../../statistics/filters/FilterSection";
import { type Filtering, useFilter } from "../../statistics/filters/useFilter";
import { Kpis } from "../../statistics/Kpis";
import { byFormat, byGenre } from "../../statistics/shelf/colours";
import { FilteredShelf } from "../../statistics/shelf/Shelf";
import { teamOptionsQuery, teamStatsQuery } from "./api";
import { Reader } from "./Reader";
import { byReader, readerBlues } from "./readers";
import css from "./Space.module.css";

/** The parameters of the address beside the filter. */
const TAB = { tab: "dashboard" };

/** The finished books of all members who share, in figures, on a shelf and in charts; one filter applies to all of them. */
export default function SharedDashboard({ team }: { team: Team }) {
  const filtering = useFilter(TAB);
  // As on the reader's own dashboard: the field follows every key, and the drawing follows a moment later.
  const { data, error, refetch } = useQuery(teamStatsQuery(useDeferredValue(filtering.filter)));
  const stats = useDeferredValue(useLast(data));
  const anyone = stats && stats.members.length > 0;
  const heading = useFocusKept(anyone);
  return (
    <>
      <h2 className="vh" ref={heading} tabIndex={-1}>
        Shared dashboard
      </h2>
      {!stats && !error && <Loading />}
      {error && (
        <NotFetched className={css.failed} error={error} onRetry={refetch}>
          {stats
            ? "Showing the last result: the new one could not be loaded."
            : "The shared dashboard could not be loaded."}
        </NotFetched>
      )}
      {anyone === false && <NoOneShares team={team} />}
      {anyone && <Shared team={team} stats={stats} filtering={filtering} />}
    </>
  );
}

/**
 * When the first member starts to share, or the last one stops, another page replaces the one whose button was pressed:
 * the focus goes to its heading.
 */
function useFocusKept(anyone: boolean | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(anyone);
  useEffect(() => {
    const isSwapped = before.current !== undefined && before.current !== anyone;
    if (isSwapped && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    before.current = anyone;
  }, [anyone]);
  return heading;
}

interface SharedProps {
  team: Team;
  stats: TeamStats;
  filtering: Filtering;
}

function Shared({ team, stats, filtering }: SharedProps) {
  return (
    <>
      {stats.library.total === 0 ? (
        <Empty title="No finished books yet">
          {sharersOf(stats.members.length, team)} With the first book that one of them finishes, this page fills.
        </Empty>
      ) : (
        <Pooled team={team} stats={stats} filtering={filtering} />
      )}
      <section className={css.own} id="own-sharing" aria-labelledby="own-sharing-title">
        <h2 className="h2" id="own-sharing-title">
          Your own sharing
        </h2>
        <SharingSetting team={team.name} />
      </section>
    </>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <Kpis figures={null} today="" />
      <FiguresWithout state="loading" />
    </div>
  );
}

/** Shown before anyone shares: how to be the first. */
function NoOneShares({ team }: { team: Team }) {
  const { pending, change } = useChangePreferences();
  return (
    <Empty
      className={css.nobody}
      title="No one shares yet"
      action={
        <Button variant="primary" busy={pending && "Sharing..."} onClick={() => change({ shareWithTeam: true })}>
          Share my books
        </Button>
      }
    >
      The shared dashboard pools the finished books of everyone who shares. You decide for yourself, and only for
      yourself. <span className={css.covered}>{whatIsShared(team.name)}</span>
    </Empty>
  );
}

function sharersOf(sharing: number, { members }: Team): string {
  if (sharing >= members.length) return members.length === 1 ? "You share." : `All ${sharing} members share.`;
  return `${sharing} of ${members.length} members ${sharing === 1 ? "shares" : "share"}.`;
}

const NO_GENRES: readonly Tally[] = [];

function Pooled({ team, stats, filtering }: SharedProps) {
  const { reset } = filtering;
  const { data: options } = useQuery(teamOptionsQuery);
  const { data: preferences } = usePreferences();
  const { library, kpis, shelf, members } = stats;
  const genres = options?.genres ?? NO_GENRES;
  const blueOf = useMemo(() => bluesByRank(genres.map(({ name }) => name)), [genres]);
  const colours = useMemo(() => [byReader(members), byGenre(genres), byFormat] as const, [members, genres]);
  const today = todayIn(preferences?.timezone);
  const matching = kpis.booksRead;
  return (
    <>
      <FilterSection
        withStatus={false}
        className={css.filters}
        filtering={filtering}
        shown={filtering.filter}
        options={options}
        today={today}
        matching={matching}
        visible={library.visible}
      />
      {library.limitedToMonths !== null && <Limited months={library.limitedToMonths} total={library.total} />}
      <Kpis figures={kpis} today={today} />
      <div className={css.shelf}>
        <FilteredShelf title="The shared shelf" shelf={shelf} colours={colours} readerOf={colours[0].nameOf} />
      </div>
      <div className={css.foot}>
        <p className="hint">
          {sharersOf(members.length, team)} What the others read is not counted here.{" "}
          <a href="#own-sharing">Your own sharing</a>
        </p>
        <Ranking members={members} />
      </div>
      {matching === 0 && (
        <Empty title="No results found" action={<Button onClick={reset}>Reset Filters</Button>}>
          Try adjusting your filters to see more results.
        </Empty>
      )}
      <Figures stats={stats} blueOf={blueOf} usualMeasure={preferences?.defaultStatsView ?? "words"} />
    </>
  );
}

/** Shown while no one pays for the team. */
function Limited({ months, total }: { months: number; total: number }) {
  return (
    <Banner
      className={css.limited}
      action={
        <LinkButton size="compact" href={paths.pricing()}>
          Upgrade
        </LinkButton>
      }
    >
      Viewing limited history (YTD or last {months} months). Upgrade to see all {counted(total, "book")}.
    </Banner>
  );
}

/** Members ranked by what they have read, shown only on request, for teams that like to compare. */
function Ranking({ members }: { members: readonly MemberShare[] }) {
  const [isShown, setShown] = useState(false);
  const blueOf = readerBlues(members);
  const ranked = [...members].sort((a, b) => b.words - a.words || b.books - a.books);
  return (
    <>
      <Button variant="quiet" size="compact" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        Rank the readers
      </Button>
      {isShown && (
        <Leaders className={css.readers} label="Readers by words">
          {ranked.map(({ userId, displayName, words, books }) => (
            <Leader key={userId} name={<Reader name={displayName} blue={blueOf(userId)} />}>
              {counted(words, "word")}, {counted(books, "book")}
            </Leader>
          ))}
        </Leaders>
      )}
    </>
  );
}
