import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
// Not the one of "wouter", which decodes: a title with a per cent sign would be decoded twice.
import { useSearch } from "wouter/use-browser-location";
import { withQuery } from "../../kit/api/client";
import { type Filter, parseFilter, toQuery, UNFILTERED } from "./filter";

/** A search is written into the address once typing rests for so long, in ms: browsers limit how often one may. */
const REST = 400;

/** The filter in force, and how to change it. */
export interface Filtering {
  filter: Filter;
  /** Sets some filters; each such step can be undone by the browser's back button. */
  change: (part: Partial<Filter>) => void;
  /** Sets the title search, which acts at once and is one step back however long it was typed. */
  search: (titleSearch: string) => void;
  reset: () => void;
}

/**
 * The filter that stands in the page's address, so that it can be shared, kept and gone back from. `kept` is what stands there
 * beside it, the same object at every call.
 */
export function useFilter(kept?: Record<string, string>): Filtering {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const [typed, setTyped] = useState<{ text: string; over: string } | null>(null);
  const resting = useRef(0);

  const written = useMemo(() => parseFilter(query), [query]);
  // What was typed counts over the address it was typed at; after going back or forward the address counts.
  const text = typed?.over === query ? typed.text : written.titleSearch;
  const filter = useMemo(() => ({ ...written, titleSearch: text }), [written, text]);

  const write = useCallback(
    (next: Filter, replace: boolean) => {
      window.clearTimeout(resting.current);
      setTyped(null);
      navigate(withQuery(path, { ...kept, ...toQuery(next) }), { replace });
    },
    [navigate, path, kept],
  );

  const change = useCallback((part: Partial<Filter>) => write({ ...filter, ...part }, false), [write, filter]);
  const reset = useCallback(() => write(UNFILTERED, false), [write]);
  const search = useCallback(
    (titleSearch: string) => {
      setTyped({ text: titleSearch, over: query });
      window.clearTimeout(resting.current);
      const isFirst = written.titleSearch === "";
      resting.current = window.setTimeout(() => write({ ...written, titleSearch }, !isFirst), REST);
    },
    [written, query, write],
  );

  // Whoever goes back, or leaves, takes back what was not yet written.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address is what the waiting one is dropped for
  useEffect(() => () => window.clearTimeout(resting.current), [query]);
  return { filter, change, search, reset };
}
