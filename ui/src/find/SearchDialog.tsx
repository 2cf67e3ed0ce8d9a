import { type KeyboardEvent, type SubmitEvent, useRef, useState } from "react";
import { counted } from "../kit/format";
import { openPage } from "../kit/origin";
import { paths } from "../kit/paths";
import { IconButton } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Icon, type IconName } from "../kit/ui/Icon";
import { Link } from "../kit/ui/Link";
import { SearchField } from "../kit/ui/SearchField";
import { isAnswered } from "../statistics/filters/filter";
import { MOST_LETTERS } from "./api";
import css from "./Find.module.css";
import { Author, hrefOf, isNamed, Marked, Other, placeOf, Title } from "./Hits";
import { type Hit, useFound } from "./useFound";

/** The hits that the dialog shows; the page has all. */
const SHOWN = 4;

const ICONS: Record<Hit["kind"], IconName> = {
  book: "book",
  quote: "quote",
  impression: "edit",
  note: "edit",
  tbr: "bookmark",
};

/** Searches from any page: the first hits, and the way to all. The arrow keys move between the field and the hits. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const sought = typed.trim();
  const { hits, matching, isLocal, error } = useFound(typed);
  const frame = useRef<HTMLFormElement>(null);
  const all = paths.search({ q: sought });
  const openAll = (event: SubmitEvent) => {
    event.preventDefault();
    onClose();
    openPage(all);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [...(frame.current?.querySelectorAll<HTMLElement>("input, a") ?? [])];
    const next = step && stops[stops.findIndex((one) => one.matches(":focus")) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <Dialog title={<span className="vh">Search</span>} wide atTop onClose={onClose}>
      {/* biome-ignore lint/a11y/useSemanticElements: the oldest browsers do not know the element search */}
      <form ref={frame} role="search" onKeyDown={move} onSubmit={openAll}>
        <div className={css.dialogField}>
          <SearchField
            look="framed"
            label="Search your library"
            placeholder="Titles, authors, quotes, notes"
            autoComplete="off"
            maxLength={MOST_LETTERS}
            value={typed}
            onSearch={setTyped}
          />
          <DialogClose>
            <IconButton icon="x" label="Close" />
          </DialogClose>
        </div>
        <p className="vh" role="status">
          {matching !== null && statusOf(matching, sought)}
        </p>
        {hits.length > 0 && (
          <ul className={css.short}>
            {hits.slice(0, SHOWN).map((hit, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a book may have several hits, and rows hold no state
              <li key={at}>
                <Link className={css.row} href={hrefOf(hit)} onClick={onClose}>
                  <Icon name={ICONS[hit.kind]} small />
                  <span>
                    <span className={css.passage} dir="auto">
                      {isNamed(hit) ? <Title hit={hit} /> : <Marked parts={hit.parts} />}
                    </span>
                    <span className="hint" dir="auto">
                      <Underneath hit={hit} />
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {sought !== "" && !isAnswered(sought) && <p className={css.says}>Type at least two letters.</p>}
        {matching === 0 && <p className={css.says}>{nothingFor(sought)}</p>}
        {isLocal && <p className={css.says}>{OFFLINE}</p>}
        {Boolean(error) && <p className={css.says}>The search did not work.</p>}
        <div className={css.dialogFoot}>
          {hits.length > 0 && (
            <Link href={all} onClick={onClose}>
              {matching === null || matching === 1 ? "All results" : `All ${counted(matching, "result")}`}
            </Link>
          )}
          <Link href={paths.search({ tab: "quotes" })} onClick={onClose}>
            Quotes
          </Link>
          <span className={`hint ${css.keyHint}`}>
            <kbd>/</kbd> opens this anywhere
          </span>
        </div>
      </form>
    </Dialog>
  );
}

/** What was searched while the server can't be reached. */
export const OFFLINE = "There is no connection. Only titles and authors were searched.";

export const nothingFor = (sought: string): string => `Nothing found for “${sought}”.`;

export function statusOf(matching: number, sought: string): string {
  return matching === 0 ? nothingFor(sought) : `${counted(matching, "result")} found`;
}

function Underneath({ hit }: { hit: Hit }) {
  const { kind, book } = hit;
  if (kind === "impression") return `Your impressions of ${book.title}`;
  if (!isNamed(hit)) return [book.title, placeOf(hit)].filter(Boolean).join(", ");
  return (
    <>
      <Author hit={hit} />
      {book.author && kind === "tbr" && ", "}
      {kind === "tbr" && "on your TBR"} <Other hit={hit} />
    </>
  );
}
