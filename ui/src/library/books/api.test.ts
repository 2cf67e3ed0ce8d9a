import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keys } from "../../kit/api/keys";
import { libraryChanged } from "./api";

const DEPENDENT = [
  keys.bookList({ sort: "title" }),
  keys.bookTitles,
  keys.newestBooks,
  keys.book(7),
  keys.tbr,
  keys.imports,
  keys.statistics({}),
  keys.filterOptions,
  keys.subscription,
  keys.teamStatistics({}),
  keys.challenges,
];
const INDEPENDENT = [keys.viewer, keys.site, keys.preferences, keys.team, keys.seatUsage, keys.usage(1)];

test("a change of the library marks as old what depends on it, but not a book that is deleted", () => {
  const client = new QueryClient();
  for (const key of [...DEPENDENT, ...INDEPENDENT, keys.book(8)]) client.setQueryData(key, {});
  libraryChanged(client, 8);
  const isOld = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(DEPENDENT.map(isOld)).toEqual(DEPENDENT.map(() => true));
  expect([...INDEPENDENT, keys.book(8)].map(isOld)).toEqual([...INDEPENDENT, keys.book(8)].map(() => false));
});

test("a first answer that was asked for before the change is asked for again", async () => {
  const answers: ((answer: string) => void)[] = [];
  const ask = () =>
    new Promise<string>((resolve) => {
      answers.push(resolve);
    });
  const client = new QueryClient();
  const series = new QueryObserver(client, { queryKey: keys.series, queryFn: ask, staleTime: 60_000 });
  const stop = series.subscribe(() => {});
  libraryChanged(client);
  answers[0]?.("before");
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("after");
  await expect.poll(() => series.getCurrentResult().data).toBe("after");
  stop();
});
