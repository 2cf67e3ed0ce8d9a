import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UNFILTERED } from "./filter";
import { useFilter } from "./useFilter";

beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, "", "/dashboard");
});
afterEach(() => vi.useRealTimers());

it("a filter is in the address at once", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.change({ genres: ["Sci-Fi & Fantasy"] }));
  expect(window.location.search).toBe("?genres=Sci-Fi+%26+Fantasy");
  expect(result.current.filter.genres).toEqual(["Sci-Fi & Fantasy"]);
});

it("an address with a filter is followed, as after going back", () => {
  window.history.replaceState(null, "", "/dashboard?minRating=9&authors=Ann");
  const { result } = renderHook(() => useFilter());
  expect(result.current.filter).toEqual({ ...UNFILTERED, minRating: 9, authors: ["Ann"] });
  act(() => window.history.pushState(null, "", "/dashboard?minRating=3"));
  expect(result.current.filter.minRating).toBe(3);
});

it("a typed search takes effect at once, and is written to the address when typing pauses", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.search("su"));
  act(() => result.current.search("sun"));
  expect(result.current.filter.titleSearch).toBe("sun");
  expect(window.location.search).toBe("");
  act(() => vi.advanceTimersByTime(500));
  expect(window.location.search).toBe("?titleSearch=sun");
  expect(result.current.filter.titleSearch).toBe("sun");
});

it("a trailing blank stays in the field while the address has the search without it", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.search("the "));
  act(() => vi.advanceTimersByTime(500));
  expect(window.location.search).toBe("?titleSearch=the");
  expect(result.current.filter.titleSearch).toBe("the ");
});

it("going back removes a search that was written to the address", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.search("sun"));
  act(() => vi.advanceTimersByTime(500));
  act(() => window.history.replaceState(null, "", "/dashboard"));
  expect(result.current.filter.titleSearch).toBe("");
});

it("a filter is the same object once its search is written, so that nothing is drawn for that", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.search("sun"));
  const { filter, chosen, search } = result.current;
  act(() => vi.advanceTimersByTime(500));
  expect(window.location.search).toBe("?titleSearch=sun");
  expect(result.current.filter).toBe(filter);
  expect(result.current.chosen).toBe(chosen);
  expect(result.current.search).toBe(search);
});

it("a search with a per cent sign survives the address", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.search("100%26 more"));
  act(() => vi.advanceTimersByTime(500));
  expect(result.current.filter.titleSearch).toBe("100%26 more");
});

it("a filter chosen while typing keeps the typed search", () => {
  const { result } = renderHook(() => useFilter());
  act(() => result.current.search("sun"));
  act(() => result.current.change({ minRating: 8 }));
  expect(result.current.filter).toEqual({ ...UNFILTERED, titleSearch: "sun", minRating: 8 });
});

it("resetting empties the address", () => {
  window.history.replaceState(null, "", "/dashboard?minRating=9&titleSearch=sun");
  const { result } = renderHook(() => useFilter());
  act(() => result.current.reset());
  expect(window.location.search).toBe("");
  expect(result.current.filter).toEqual(UNFILTERED);
});
