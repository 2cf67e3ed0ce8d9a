import { QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { ApiError } from "./api/client";
import { createQueryClient, storeAnswer } from "./query";

/** The times of all attempts of a query that always fails, in milliseconds after the first. */
async function retriesOf(error: Error): Promise<number[]> {
  vi.useFakeTimers();
  const client = createQueryClient(() => undefined);
  const asked: number[] = [];
  const start = Date.now();
  const queryFn = () => {
    asked.push(Date.now() - start);
    return Promise.reject(error);
  };
  const stop = new QueryObserver(client, { queryKey: ["books"], queryFn }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  stop();
  vi.useRealTimers();
  return asked.slice(1);
}

it("a query is asked once more, after the time that a busy server names, unless that is long", async () => {
  const body = JSON.stringify({ error: "Busy.", code: "busy" });
  expect(await retriesOf(new ApiError(500, ""))).toEqual([1_000]);
  expect(await retriesOf(new ApiError(503, body, "", 4))).toEqual([4_000]);
  expect(await retriesOf(new ApiError(429, body, "", 2))).toEqual([2_000]);
  expect(await retriesOf(new ApiError(503, body, "", 6))).toEqual([]);
});

/** The number of attempts of a mutation that always fails. */
async function attempts(error: Error): Promise<number> {
  vi.useFakeTimers();
  const client = createQueryClient(() => undefined);
  const mutationFn = vi.fn(() => Promise.reject(error));
  const settled = client
    .getMutationCache()
    .build(client, { mutationFn })
    .execute(undefined)
    .catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  await settled;
  vi.useRealTimers();
  return mutationFn.mock.calls.length;
}

it("a mutation is tried once more when the server broke or was not reached, not when it refused", async () => {
  expect(await attempts(new ApiError(503, ""))).toBe(2);
  expect(await attempts(new ApiError(0, ""))).toBe(2);
  expect(await attempts(new ApiError(422, ""))).toBe(1);
  expect(await attempts(new ApiError(503, "", "", 5))).toBe(2);
  expect(await attempts(new ApiError(503, "", "", 30))).toBe(1);
});

it("queries wait 1, 2 and at most 3 seconds, and are fresh for 5 minutes", () => {
  const { queries } = createQueryClient(() => undefined).getDefaultOptions();
  const delay = queries?.retryDelay as (attempt: number, error: Error) => number;
  expect([0, 1, 2, 5].map((attempt) => delay(attempt, new Error()))).toEqual([1_000, 2_000, 3_000, 3_000]);
  expect(queries).toMatchObject({ staleTime: 300_000, gcTime: 600_000, networkMode: "offlineFirst" });
});

it("a 401 from any call says that the session is over", async () => {
  const over = vi.fn();
  const client = createQueryClient(over);
  const queryFn = () => Promise.reject(new ApiError(401, ""));
  const stop = new QueryObserver(client, { queryKey: ["books"], queryFn, retry: false }).subscribe(() => undefined);
  await vi.waitFor(() => expect(over).toHaveBeenCalledWith(client));
  stop();
});

it("a page of another account is reported, and is not taken for the end of the session", async () => {
  const [over, other] = [vi.fn(), vi.fn()];
  const client = createQueryClient(over, other);
  const refusal = new ApiError(409, JSON.stringify({ error: "Another account.", code: "other_account" }));
  const queryFn = () => Promise.reject(refusal);
  const stop = new QueryObserver(client, { queryKey: ["books"], queryFn, retry: false }).subscribe(() => undefined);
  await vi.waitFor(() => expect(other).toHaveBeenCalledWith(client));
  expect(over).not.toHaveBeenCalled();
  stop();
});

it("a query from before a change does not overwrite the answer of the change", async () => {
  const client = createQueryClient(() => undefined);
  client.setQueryData(["name"], "old");
  let answer = (_name: string) => {};
  const asked = client.fetchQuery({
    queryKey: ["name"],
    queryFn: () => new Promise<string>((resolve) => (answer = resolve)),
    staleTime: 0,
  });
  asked.catch(() => undefined);
  await storeAnswer(client, ["name"], "new");
  answer("old");
  await new Promise((resolve) => setTimeout(resolve));
  expect(client.getQueryData(["name"])).toBe("new");
});
