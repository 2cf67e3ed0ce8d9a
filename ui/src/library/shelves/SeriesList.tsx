import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Book, SeriesEntry } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { bluesByRank } from "../../kit/spine/rank";
import { LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Link } from "../../kit/ui/Link";
import { MoreRows, useShownRows } from "../../kit/ui/MoreRows";
import { optionsQuery, seriesQuery } from "../books/api";
import { tbrQuery } from "../tbr/api";
import { seriesBooksQuery } from "./api";
import { ListPage } from "./ListPage";
import {
  authorsLine,
  authorsOf,
  bySeries,
  type Listed,
  listedBySeries,
  nextLine,
  nextOf,
  openOf,
  placesOf,
  readingLine,
  readLine,
} from "./model";
import { SeriesStage } from "./SeriesStage";
import css from "./Shelves.module.css";

/** Every series: what is read, what is missing, and what comes next. */
export function SeriesList() {
  const list = useQuery(seriesQuery);
  const { data } = list;
  const frame = useRef<HTMLUListElement>(null);
  const rows = useShownRows();
  const { data: reads } = useQuery(seriesBooksQuery(data?.map(({ name }) => name) ?? []));
  const readsOf = bySeries(reads ?? []);
  const { data: options } = useQuery(optionsQuery);
  const { data: items } = useQuery(tbrQuery);
  const listedOf = listedBySeries(items ?? []);
  const blueOf = bluesByRank(options?.genres.map(({ name }) => name) ?? []);
  const read = data?.reduce((sum, one) => sum + one.read, 0) ?? 0;
  return (
    <ListPage
      title="Series"
      about={
        data && data.length > 0
          ? `${counted(data.length, "series", "series")}, ${counted(read, "book")} read in them`
          : "Books that belong together"
      }
      action={
        <LinkButton variant="quiet" icon="tag" href={paths.tags()}>
          Tags
        </LinkButton>
      }
      list={list}
      empty={
        <Empty title="No series yet" action={<LinkButton href={paths.dashboard()}>Go to your books</LinkButton>}>
          Give a book a series and a number.
        </Empty>
      }
    >
      {data && data.length > 0 && (
        <>
          <ul className={css.series} ref={frame}>
            {data.slice(0, rows).map((one, index) => (
              <Row
                key={one.name}
                index={index}
                series={one}
                reads={readsOf.get(one.name)}
                listed={listedOf(one.name)}
                blueOf={blueOf}
              />
            ))}
          </ul>
          <MoreRows list={frame} shown={rows} total={data.length} one="series" many="series" />
          <p className={`hint ${css.foot}`}>Filled is read, outlined is on your shelf or list, dashed is missing.</p>
        </>
      )}
    </ListPage>
  );
}

interface RowProps {
  index: number;
  series: SeriesEntry;
  /** The reads of its books, once they are fetched. */
  reads: readonly Book[] | undefined;
  /** Its books on the to-be-read list. */
  listed: readonly Listed[];
  blueOf: (genre: string | undefined) => Blue;
}

function Row({ index, series, reads = [], listed, blueOf }: RowProps) {
  const { name } = series;
  const open = openOf(reads);
  const places = placesOf(series, reads, listed);
  const next = nextOf(places);
  return (
    <li className={css.one} data-index={index}>
      <div>
        <Link className={css.name} href={paths.series(name)}>
          <bdi dir="auto">{name}</bdi>
        </Link>
        <p className="muted" dir="auto">
          {authorsLine(authorsOf(reads))}
        </p>
      </div>
      <div className={css.drawn}>
        {places.length > 0 && <SeriesStage places={places} blueOf={blueOf} size="small" />}
      </div>
      <div className={css.held}>
        <p>{readLine(series)}</p>
        {open && <p className="aside-text">{readingLine(open)}</p>}
        {next && <p className="aside-text">{nextLine(next, listed)}</p>}
      </div>
    </li>
  );
}
