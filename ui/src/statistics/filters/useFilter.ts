import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
// Not the hook of "wouter", which decodes: a title with a per cent sign would be decoded twice.
import { useSearch } from "wouter/use-browser-location";
import { withQuery } from "../../kit/api/client";
import { type Filter, parseFilter, toQuery, UNFILTERED } from "./filter";

/** Milliseconds without typing before a search is written to the address: browsers limit how often a page may do that. */
const REST = 400;

/** The filter, and the functions that change it. The functions stay the same for the lifetime of the page. */
export interface Filtering {
  filter: Filter;
  /** The filter without its title search: the same object while the reader types. */
  chosen: Filter;
  /** Sets some filters. The browser's back button undoes each such step. */
  change: (part: Partial<Filter>) => void;
  /** Sets the title search, which takes effect at once. All typing is one step for the back button. */
  search: (titleSearch: string) => void;
  reset: () => void;
}

/** A title search as typed. `over` is the address at which it was typed, null once it is written to the address. */
interface Typed {
  text: string;
  over: string | null;
}

/** Splits a query into the title search and its other parts. */
function split(query: string): [title: string, others: string] {
  const parts = new URLSearchParams(query);
  const title = parts.get("titleSearch") ?? "";
  parts.delete("titleSearch");
  return [title, parts.toString()];
}

/**
 * The filter in the page's address, so that it can be shared, bookmarked and undone by the back button. `kept` are
 * other parameters of the address; pass the same object at every call.
 */
export function useFilter(kept?: Record<string, string>): Filtering {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const [typed, setTyped] = useState<Typed | null>(null);
  const resting = useRef(0);

  const [title, others] = split(query);
  // Typed text overrides the address at which it was typed, and keeps its blanks once it is written there. After going
  // back or forward the address overrides it.
  const isTyped = typed !== null && (typed.over === query || typed.text.trim() === title);
  const text = isTyped ? typed.text : title;
  const chosen = useMemo(() => parseFilter(others), [others]);
  const filter = useMemo(() => ({ ...chosen, titleSearch: text }), [chosen, text]);
  const latest = useRef({ filter, query });
  useLayoutEffect(() => {
    latest.current = { filter, query };
  }, [filter, query]);

  const write = useCallback(
    (next: Filter, replace: boolean) => {
      window.clearTimeout(resting.current);
      // The order of the dashboard's table goes along.
      navigate(withQuery(path, { ...kept, ...toQuery(next) }), {
        replace,
        state: { sort: window.history.state?.sort },
      });
    },
    [navigate, path, kept],
  );
  const set = useCallback(
    (next: Filter) => {
      setTyped(null);
      write(next, false);
    },
    [write],
  );

  const change = useCallback((part: Partial<Filter>) => set({ ...latest.current.filter, ...part }), [set]);
  const reset = useCallback(() => set(UNFILTERED), [set]);
  const search = useCallback(
    (titleSearch: string) => {
      const over = latest.current.query;
      setTyped({ text: titleSearch, over });
      window.clearTimeout(resting.current);
      resting.current = window.setTimeout(() => {
        setTyped({ text: titleSearch, over: null });
        write({ ...latest.current.filter, titleSearch }, split(over)[0] !== "");
      }, REST);
    },
    [write],
  );

  // Going back, or leaving the page, drops a search that was not written to the address yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address is what the waiting one is dropped for
  useEffect(() => () => window.clearTimeout(resting.current), [query]);
  return { filter, chosen, change, search, reset };
}
