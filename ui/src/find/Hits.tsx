import { Fragment, type RefObject } from "react";
import { longDate } from "../kit/format";
import { paths } from "../kit/paths";
import { Link } from "../kit/ui/Link";
import css from "./Find.module.css";
import type { Hit } from "./useFound";

const KINDS: Record<Hit["kind"], string> = {
  book: "Book",
  quote: "Quote",
  impression: "Impressions",
  note: "Note",
  tbr: "TBR",
};

/** What was found, each with its place. */
export function Hits({ hits, list }: { hits: readonly Hit[]; list: RefObject<HTMLUListElement | null> }) {
  return (
    <ul className={css.hits} ref={list}>
      {hits.map((hit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a book may have several hits, and rows hold no state
        <li key={at} className={css.hit}>
          <p className={css.kind}>{KINDS[hit.kind]}</p>
          <div>
            {!isNamed(hit) && (
              <p className={css.passage} dir="auto">
                <Marked parts={hit.parts} />
              </p>
            )}
            <p className={isNamed(hit) ? css.title : css.where}>
              <Link href={hrefOf(hit)} dir="auto">
                <Title hit={hit} />
              </Link>{" "}
              <span className="muted" dir="auto">
                <Author hit={hit} />
              </span>
            </p>
            {isNamed(hit) && <Other hit={hit} />}
          </div>
          <p className={css.place}>{placeOf(hit)}</p>
        </li>
      ))}
    </ul>
  );
}

export const hrefOf = ({ kind, book }: Hit): string => (kind === "tbr" ? paths.tbr() : paths.book(book.id));

/** Whether it was a book or an item that was found, by its title, author, series or tag. */
export const isNamed = ({ kind }: Hit): boolean => kind === "book" || kind === "tbr";

/** Where a hit stands, and its day. */
export const placeOf = ({ place, day }: Hit): string => [place, day && longDate(day)].filter(Boolean).join(", ");

const isFoundIn = ({ parts }: Hit, text: string | null) => parts.map((part) => part.text).join("") === text;

/** The title of a hit, with what was sought marked if it stands there. */
export function Title({ hit }: { hit: Hit }) {
  return isNamed(hit) && isFoundIn(hit, hit.book.title) ? <Marked parts={hit.parts} /> : hit.book.title;
}

export function Author({ hit }: { hit: Hit }) {
  const { title, author } = hit.book;
  return isNamed(hit) && title !== author && isFoundIn(hit, author) ? <Marked parts={hit.parts} /> : author;
}

/** The series, the tag or the note by which a book or an item was found, if it was neither title nor author. */
export function Other({ hit }: { hit: Hit }) {
  if (isFoundIn(hit, hit.book.title) || isFoundIn(hit, hit.book.author)) return null;
  return (
    <span className={css.other} dir="auto">
      <Marked parts={hit.parts} />
    </span>
  );
}

/** A text with what was sought marked. */
export function Marked({ parts }: Pick<Hit, "parts">) {
  return parts.map(({ text, hit }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text, which never move
    hit ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
  );
}
