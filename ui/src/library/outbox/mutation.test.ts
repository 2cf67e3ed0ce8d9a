import { expect, it } from "vitest";
import { aRead } from "../books/test-read";
import { type QueueEntry, withQueued } from "./mutation";

const TODAY = "2025-11-18";

it("what waits in the browser stands at its book", () => {
  const entry = { key: "a", at: 1, day: TODAY, book: { id: 7, title: "Dune" } };
  const note = (payload: object, date = TODAY): QueueEntry => ({ ...entry, kind: "place", date, payload });
  const one = {
    book: aRead({ status: "in-progress", pages: 415, progress: { at: 2_000, page: 83, day: "2025-11-17" } }),
    forecast: { days: 9, date: "2025-11-27" },
  };
  const shown = (...queued: QueueEntry[]) =>
    withQueued([one], queued).map(({ book, forecast }) => ({ ...book.progress, forecast }));
  const at = (place: number, page: number | null) => [{ at: place, page, day: TODAY, forecast: null }];
  expect(shown(note({ page: 212 }))).toEqual(at(5_108, 212));
  expect(shown(note({ page: 212 }), note({ percent: 60.5 }))).toEqual(at(6_050, null));
  // A day without a place, an earlier day, and another book change nothing.
  for (const nothing of [
    note({}),
    note({ page: 10 }, "2025-11-16"),
    { ...note({ page: 9 }), book: { id: 8, title: "Emma" } } as QueueEntry,
  ])
    expect(withQueued([one], [nothing])).toEqual([one]);
  expect(withQueued([one], [{ ...entry, kind: "finish", change: { rating: 8 } }])).toEqual([]);
});
