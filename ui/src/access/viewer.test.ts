import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { keys } from "../kit/api/keys";
import { createQueryClient } from "../kit/query";
import { NORA } from "../test-reader";
import { checkSession, signedIn, viewerQuery } from "./viewer";

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Answers the question who is signed in: no one for the first times, then Nora. Returns how often it was asked. */
function nobodyFor(times: number) {
  const asked = vi.fn();
  server.use(
    http.get("*/api/auth/me", () => {
      asked();
      if (asked.mock.calls.length > times) return HttpResponse.json({ user: NORA });
      return HttpResponse.json({ error: "Not signed in.", code: "not_signed_in" }, { status: 401 });
    }),
  );
  return asked;
}

function clientOfNora() {
  const client = createQueryClient(checkSession);
  signedIn(client, NORA);
  client.setQueryData(["books"], ["Emma"]);
  return client;
}

it("a call that is answered 401 while the session goes on does not sign the reader out", async () => {
  const client = clientOfNora();
  const asked = nobodyFor(0);
  checkSession(client);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(keys.viewer)).toEqual({ user: NORA });
  expect(client.getQueryData(["books"])).toEqual(["Emma"]);
});

it("a session that has ended takes the reader's data out of the tab", async () => {
  const client = clientOfNora();
  nobodyFor(9);
  checkSession(client);
  await vi.waitFor(() => expect(client.getQueryData(keys.viewer)).toBeNull());
  await vi.waitFor(() => expect(client.getQueryData(["books"])).toBeUndefined());
});

it("a question that was sent with a renewed session's old id is asked again", async () => {
  const client = clientOfNora();
  const asked = nobodyFor(1);
  expect(await client.fetchQuery({ ...viewerQuery, staleTime: 0 })).toEqual({ user: NORA });
  expect(asked).toHaveBeenCalledTimes(2);
});
