import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Book } from "../../kit/api/types";
import { aRead } from "../../library/books/test-read";
import { ANSWERS, NORA, renderAs } from "../../test-reader";
import { byFormat } from "./colours";
import { FilteredShelf } from "./Shelf";

const SHELF = { books: [{ ...aRead({ id: 1, title: "Emma" }), date: "2024-06-16" }], hidden: 0 };
const OPEN = { status: "in-progress", dateCompleted: null, rating: null } as const;

let books: Book[] = [];
/** The queries that were sent. */
let asked: URLSearchParams[] = [];

const server = setupServer(
  http.get("*/api/books", ({ request }) => {
    asked.push(new URL(request.url).searchParams);
    return HttpResponse.json({ data: books, total: 3, limitedToMonths: null, matching: 2, nextCursor: null });
  }),
  ...ANSWERS,
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  localStorage.clear();
  asked = [];
  books = [
    aRead({ ...OPEN, id: 2, title: "Trust", progress: { at: 3_786, page: null, day: "2026-11-03" } }),
    aRead({ ...OPEN, id: 3, title: "Ulysses", status: "did-not-finish" }),
  ];
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

function open(query: Record<string, string | string[]> | undefined = {}) {
  renderAs(NORA, <FilteredShelf shelf={SHELF} colours={[byFormat]} hrefOf={({ id }) => `/book/${id}`} query={query} />);
  return userEvent.setup();
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });

it("stands on the shelf from the press of a button on, and is remembered", async () => {
  const user = open({ genres: ["Classics"] });
  const off = await button("Unfinished");
  expect(off.getAttribute("aria-pressed")).toBe("false");
  expect(asked).toEqual([]);
  await user.click(off);
  expect((await button("Unfinished, 2")).getAttribute("aria-pressed")).toBe("true");
  const link = await screen.findByRole("link", { name: /^Trust, Frank Herbert, in progress, read to 37%/ });
  expect(link.getAttribute("href")).toBe("/book/2");
  expect(screen.getByRole("link", { name: /^Ulysses, Frank Herbert, not finished/ })).toBeTruthy();
  expect(screen.getByText(/They are not on the ruler/)).toBeTruthy();
  expect(asked.map((query) => [query.getAll("status"), query.get("genres")])).toEqual([
    [["in-progress", "did-not-finish"], "Classics"],
  ]);

  cleanup();
  open();
  expect(await button("Unfinished, 2")).toBeTruthy();
  await user.click(await button("Unfinished, 2"));
  expect((await button("Unfinished")).getAttribute("aria-pressed")).toBe("false");
  expect(screen.queryByRole("link", { name: /^Trust/ })).toBeNull();
  cleanup();
  open();
  expect((await button("Unfinished")).getAttribute("aria-pressed")).toBe("false");
});

it("says that the filter leaves none", async () => {
  books = [];
  const user = open();
  await user.click(await button("Unfinished"));
  expect(await screen.findByText("No unfinished book matches the filters.")).toBeTruthy();
});

it("the arrow keys move along the unfinished books", async () => {
  const user = open();
  await user.click(await button("Unfinished"));
  const first = await screen.findByRole("link", { name: /^Trust/ });
  first.focus();
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(screen.getByRole("link", { name: /^Ulysses/ }));
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(document.activeElement).toBe(first);
});

it("no shelf without a filter has the button", async () => {
  renderAs(NORA, <FilteredShelf shelf={SHELF} colours={[byFormat]} hrefOf={({ id }) => `/book/${id}`} />);
  expect(await button("List")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Unfinished" })).toBeNull();
});
