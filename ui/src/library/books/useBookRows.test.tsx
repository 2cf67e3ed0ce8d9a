import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { createQueryClient } from "../../kit/query";
import { pageServer } from "../../test-server";
import { NEWEST_FIRST } from "./sort";
import { aRead } from "./test-read";
import { useBookRows } from "./useBookRows";

let isWell = false;
const FIRST = { data: [aRead()], total: 40, matching: 40, limitedToMonths: null, nextCursor: "1" };

pageServer(
  "/dashboard",
  http.get("*/api/books", ({ request }) => {
    if (!new URL(request.url).searchParams.has("cursor")) return HttpResponse.json(FIRST);
    if (!isWell) return HttpResponse.json({ error: "Not now." }, { status: 500 });
    return HttpResponse.json({ ...FIRST, data: [aRead({ id: 8 })], nextCursor: null });
  }),
);

it("books that could not be loaded are asked for again only when the reader says so", async () => {
  const client = createQueryClient(() => undefined);
  const list = { query: {}, sort: NEWEST_FIRST };
  const { result } = renderHook(() => useBookRows(list, 40, 52), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.error).not.toBeNull(), { timeout: 10_000 });
  expect(client.isFetching()).toBe(0);
  isWell = true;
  result.current.refetch();
  await waitFor(() => expect(result.current.books).toHaveLength(2));
  expect(result.current.error).toBeNull();
});
