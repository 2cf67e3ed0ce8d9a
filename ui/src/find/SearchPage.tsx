import { useEffect, useRef, useState } from "react";
import { useSearch } from "wouter/use-browser-location";
import { navigate } from "../kit/origin";
import { paths } from "../kit/paths";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/Fetched";
import { Page } from "../kit/ui/Page";
import { SearchField } from "../kit/ui/SearchField";
import { Tabs } from "../kit/ui/Tabs";
import { Spinner } from "../kit/ui/Waiting";
import { isAnswered } from "../statistics/filters/filter";
import { MOST_LETTERS, type Where } from "./api";
import css from "./Find.module.css";
import { Hits } from "./Hits";
import { More } from "./More";
import { QuoteOfTheDay, Quotes } from "./Quotes";
import { nothingFor, OFFLINE, statusOf } from "./SearchDialog";
import { useFound } from "./useFound";

/** Milliseconds without typing before a search is written to the address: browsers limit how often a page may do that. */
const REST = 400;

/** What a reader wrote and has: a search over everything, and the quotes. What is sought is in the address. */
export default function SearchPage() {
  const address = useSearch();
  const query = new URLSearchParams(address);
  const q = query.get("q") ?? "";
  const where = query.get("tab") === "quotes" ? "quotes" : undefined;
  const [typed, setTyped] = useState({ text: q, address });
  const resting = useRef(0);
  // A new address overrides what was typed, unless it says the same.
  const text = typed.address === address || typed.text.trim() === q ? typed.text : q;
  if (typed.address !== address) setTyped({ text, address });
  const search = (next: string) => {
    setTyped({ text: next, address });
    window.clearTimeout(resting.current);
    resting.current = window.setTimeout(() => {
      navigate(paths.search({ q: next.trim(), tab: where }), { replace: true, state: window.history.state });
    }, REST);
  };
  // Going back, another tab, or leaving the page drops a search that was not written to the address yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address is what the waiting one is dropped for
  useEffect(() => () => window.clearTimeout(resting.current), [address]);
  const tabs = [
    { id: "everything", label: "Everything", href: paths.search({ q: text.trim() }) },
    { id: "quotes", label: "Quotes", href: paths.search({ q: text.trim(), tab: "quotes" }) },
  ];
  return (
    <Page title={where ? "Quotes" : "Search"}>
      <div className="page-head">
        <h1 className="h1">Search</h1>
      </div>
      <div className="narrow">
        <SearchField
          look="framed"
          className={css.field}
          label="Search your library"
          placeholder="Titles, authors, quotes, notes"
          maxLength={MOST_LETTERS}
          value={text}
          onSearch={search}
        />
        <Tabs label="Where to look" tabs={tabs} current={where ?? "everything"} className={css.panel}>
          {where && text.trim() === "" ? <Quotes /> : <Results typed={text} where={where} />}
        </Tabs>
      </div>
    </Page>
  );
}

function Results({ typed, where }: { typed: string; where: Where | undefined }) {
  const sought = typed.trim();
  const { hits, matching, isLocal, error, refetch, pages } = useFound(typed, where);
  const list = useRef<HTMLUListElement>(null);
  const isShort = !isAnswered(sought);
  if (sought === "") return <QuoteOfTheDay />;
  if (isShort) return <p className="aside-text">Type at least two letters.</p>;
  return (
    <>
      {Boolean(error) && (
        <NotFetched error={error} onRetry={refetch}>
          The search did not work.
        </NotFetched>
      )}
      <p className="aside-text" role="status">
        {matching !== null && matching > 0 && statusOf(matching, sought)}
        {isLocal && ` ${OFFLINE}`}
      </p>
      {hits.length > 0 && <Hits hits={hits} list={list} />}
      {hits.length === 0 && matching === null && !error && <Spinner>Searching</Spinner>}
      {matching === 0 && (
        <Empty title={nothingFor(sought)}>
          {where === undefined && "Search looks at titles, authors, tags, impressions, quotes and notes."}
        </Empty>
      )}
      <More list={list} shown={hits.length} matching={matching ?? 0} pages={pages} />
    </>
  );
}
