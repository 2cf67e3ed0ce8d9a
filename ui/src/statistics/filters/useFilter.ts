import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
// Not the one of "wouter", which decodes: a title with a per cent sign would be decoded twice.
import { useSearch } from "wouter/use-browser-location";
import { withQuery } from "../../kit/api/client";
import { type Filter, parseFilter, toQuery, UNFILTERED } from "./filter";

/** A search is written into the address once typing rests for so long, in ms: browsers limit how often one may. */
const REST = 400;

/** The filter in force, and how to change it. The functions stay the same for as long as the page does. */
export interface Filtering {
  filter: Filter;
  /** The filter but for its title search: the same object while one types. */
  chosen: Filter;
  /** Sets some filters; each such step can be undone by the browser's back button. */
  change: (part: Partial<Filter>) => void;
  /** Sets the title search, which acts at once and is one step back however long it was typed. */
  search: (titleSearch: string) => void;
  reset: () => void;
}

/** A title search as it was typed; `over` is the address that it was typed at, null once it is written there. */
interface Typed {
  text: string;
  over: string | null;
}

/** What an address says of the title search, and its other parts. */
function split(query: string): [title: string, others: string] {
  const parts = new URLSearchParams(query);
  const title = parts.get("titleSearch") ?? "";
  parts.delete("titleSearch");
  return [title, parts.toString()];
}

/**
 * The filter that stands in the page's address, so that it can be shared, kept and gone back from. `kept` is what stands there
 * beside it, the same object at every call.
 */
export function useFilter(kept?: Record<string, string>): Filtering {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const [typed, setTyped] = useState<Typed | null>(null);
  const resting = useRef(0);

  const [title, others] = split(query);
  // What was typed counts over the address it was typed at, and with its blanks where it was written; after going back or
  // forward the address counts.
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
      navigate(withQuery(path, { ...kept, ...toQuery(next) }), { replace });
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

  // Whoever goes back, or leaves, takes back what was not yet written.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address is what the waiting one is dropped for
  useEffect(() => () => window.clearTimeout(resting.current), [query]);
  return { filter, chosen, change, search, reset };
}
