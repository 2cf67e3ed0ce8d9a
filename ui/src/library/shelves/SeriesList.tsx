import { useQuery } from "@tanstack/react-query";
import type { SeriesEntry } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Link } from "../../kit/ui/Link";
import { NotFetched } from "../../kit/ui/NotFetched";
import { Page } from "../../kit/ui/Page";
import { Spinner } from "../../kit/ui/Waiting";
import { seriesQuery } from "./api";
import { isWhollyRead, placesOf, readLine } from "./model";
import { SeriesStage } from "./SeriesStage";
import css from "./Shelves.module.css";

/** Every series: what is read, what is missing, and what comes next. */
export function SeriesList() {
  const { data, isError, refetch } = useQuery(seriesQuery);
  const read = data?.reduce((sum, one) => sum + one.read, 0) ?? 0;
  return (
    <Page title="Series">
      <div className="page-head">
        <div>
          <h1 className="h1">Series</h1>
          <p className="aside-text">
            {data && data.length > 0
              ? `${counted(data.length, "series", "series")}, ${counted(read, "book")} read in them`
              : "Books that belong together"}
          </p>
        </div>
        <div className="page-head-actions">
          <LinkButton variant="quiet" icon="tag" href={paths.tags()}>
            Tags
          </LinkButton>
        </div>
      </div>
      {!data && !isError && <Spinner>Fetching your series</Spinner>}
      {isError && <NotFetched onRetry={refetch}>Your series could not be loaded.</NotFetched>}
      {data?.length === 0 && (
        <Empty title="No series yet" action={<LinkButton href={paths.dashboard()}>To your books</LinkButton>}>
          Give a book a series and a number, or fill them in from what you imported.
        </Empty>
      )}
      {data && data.length > 0 && (
        <>
          <ul className={css.series}>
            {data.map((one) => (
              <Row key={one.name} series={one} />
            ))}
          </ul>
          <p className={`hint ${css.foot}`}>
            A filled spine is read, a solid outline is on your shelf, a dashed one is missing. Only whole numbers are
            counted as missing.
          </p>
        </>
      )}
    </Page>
  );
}

function Row({ series }: { series: SeriesEntry }) {
  const { name, next, known } = series;
  const isNextKnown = next !== null && known.includes(String(next));
  return (
    <li className={css.one}>
      <Link className={css.name} href={paths.series(name)}>
        <bdi dir="auto">{name}</bdi>
      </Link>
      <div className={css.drawn}>
        <SeriesStage places={placesOf(series)} blue={1} />
      </div>
      <div className={css.held}>
        <p>{readLine(series)}</p>
        {next !== null && !isWhollyRead(series) && (
          <p className="aside-text">
            next: #{next}
            {isNextKnown && ", on your shelf"}
          </p>
        )}
      </div>
    </li>
  );
}
