import { useQuery } from "@tanstack/react-query";
import type { Book, Work } from "../../kit/api/types";
import { languageName } from "../../kit/language";
import { paths } from "../../kit/paths";
import { Badge, Badges } from "../../kit/ui/Badge";
import { Icon } from "../../kit/ui/Icon";
import { Leader } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
import { seriesQuery } from "../books/api";
import { ROLES } from "../books/facts";
import { numbered, wholeNumbers } from "../books/seriesNumber";
import { isWhollyRead, nextOf, placesOf } from "../shelves/model";
import css from "./Book.module.css";

/** The most numbers of a series that are drawn. */
const MOST_SPINES = 40;

/** The series of a book with its number, and what comes next in it. */
export function SeriesLine({ series }: { series: Work["series"] }) {
  const { data } = useQuery({ ...seriesQuery, enabled: series !== null });
  if (series === null) return null;
  const all = data?.find(({ name }) => name === series.name);
  const places = all ? placesOf(all) : [];
  const next = nextOf(places);
  const own = wholeNumbers(series.number ?? "").map(String);
  return (
    <p className={css.series}>
      <Link href={paths.series(series.name)}>
        <bdi dir="auto">{series.name}</bdi>
      </Link>
      {series.number !== null && `, ${numbered(series.number)}`}
      {places.length > 1 && ` of ${places.length} known`}.{next && ` Next: #${next.number}.`}
      {all && isWhollyRead(all) && " You have them all."}
      {places.length > 1 && places.length <= MOST_SPINES && (
        <span className={css.numbers} aria-hidden="true">
          {places.map(({ number, state }) => (
            <i key={number} data-state={state} data-own={own.includes(number) || undefined} />
          ))}
        </span>
      )}
    </p>
  );
}

/** The tags of a book, each with a link to its books. */
export function TagBadges({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <Badges>
      {tags.map((tag) => (
        <Link key={tag} href={paths.tags(tag)} className={css.tag}>
          <Badge>
            <Icon name="tag" small />
            <bdi dir="auto">{tag}</bdi>
          </Badge>
        </Link>
      ))}
    </Badges>
  );
}

/** The rows of an edition that a book may do without. */
export function EditionFacts({ read }: { read: Book }) {
  return (
    <>
      {read.publisher && <Leader name="Publisher">{<bdi dir="auto">{read.publisher}</bdi>}</Leader>}
      {read.published && <Leader name="Published">{read.published}</Leader>}
      {read.originalYear !== null && <Leader name="First published">{yearName(read.originalYear)}</Leader>}
      {read.language && <Leader name="Language">{languageName(read.language)}</Leader>}
      {read.contributors.map(({ name, role }) => (
        <Leader key={`${role} ${name}`} name={ROLES.find(({ value }) => value === role)?.label ?? role}>
          <bdi dir="auto">{name}</bdi>
        </Leader>
      ))}
    </>
  );
}

/** A year: 1965, or 800 BC for -800. */
const yearName = (year: number) => (year < 0 ? `${-year} BC` : String(year));

/** The publisher and the year of a read's edition, and who reads it aloud: `Audible, 2019, read by Scott Brick`. */
export function editionOfRead({ publisher, published, contributors }: Book): string {
  const narrators = contributors.filter(({ role }) => role === "narrator").map(({ name }) => name);
  const parts = [publisher, published?.slice(0, 4), narrators.length > 0 && `read by ${narrators.join(", ")}`];
  return parts.filter(Boolean).join(", ");
}
