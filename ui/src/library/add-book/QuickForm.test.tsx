import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { FoundBook } from "../../kit/api/types";
import { ANSWERS, NORA, renderAs } from "../../test-reader";
import { KINDRED } from "../lookup/test-book";
import AddBookPage from "./AddBookPage";

// These tests use whole pages by role, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
afterEach(() => server.resetHandlers());

/** What the catalogue knows of Kindred. */
let found: FoundBook;
/** The books that were sent. */
let sent: unknown[];
beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, "", "/add-book");
  found = { ...KINDRED, cover: null };
  sent = [];
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ signup: "open", lookup: ["openlibrary.org"] })),
    http.get("*/api/lookup", () =>
      HttpResponse.json({ data: [found], sources: [{ name: "openlibrary", outcome: "ok" }] }),
    ),
    http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
    http.get("*/api/books", () => HttpResponse.json({ data: [], total: 0, limitedToMonths: null })),
    http.get("*/api/tags", () => HttpResponse.json({ data: [] })),
    http.get("*/api/series", () => HttpResponse.json({ data: [] })),
    http.post("*/api/books", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ error: "The title is refused.", fields: { title: "Another one." } }, { status: 422 });
    }),
    ...ANSWERS,
  );
});

const title = () => screen.queryByRole("textbox", { name: "Title" });

async function choose() {
  renderAs(NORA, <AddBookPage />);
  await userEvent.type(await screen.findByRole("searchbox", { name: "Look it up" }), "kindred{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: /^Kindred/ }));
  await screen.findByText(/^Filled in:/);
}

it("a chosen book stands in the place of the fields that it fills in, until they are changed", async () => {
  await choose();
  expect(title()).toBeNull();
  for (const name of ["Word Count", "Pages", "Authors"]) expect(screen.queryByRole("textbox", { name })).toBeNull();
  expect(screen.queryByRole("searchbox", { name: "Look it up" })).toBeNull();
  expect(screen.getByRole("radio", { name: /Audio/ })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Change" }));
  expect(title()).toHaveProperty("value", "Kindred");
  expect(screen.getByRole("textbox", { name: "Word Count" })).toHaveProperty("value", "72600");
  expect(screen.getByRole("searchbox", { name: "Look it up" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(title()).toHaveProperty("value", "");
  expect(await screen.findByRole("button", { name: /^Kindred/ })).toBeTruthy();
});

it("a field that the catalogue does not know stays in the form", async () => {
  found = { ...found, pages: null, wordCount: null, wordCountSource: null };
  await choose();
  expect(title()).toHaveProperty("value", "Kindred");
  expect(screen.getByRole("textbox", { name: "Word Count" })).toHaveProperty("value", "");
});

it("a hidden field that is refused is shown with its reason", async () => {
  await choose();
  await userEvent.click(screen.getByRole("radio", { name: "No date - track words/genres only" }));
  await userEvent.click(screen.getByRole("button", { name: "Add Book" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ title: "Kindred", wordCount: 72_600, wordCountSource: "pages", pages: 264 });
  expect(await screen.findByText("Another one.")).toBeTruthy();
  expect(title()).toHaveProperty("value", "Kindred");
});

it("starting over also leaves the book that was looked up, with its cover", async () => {
  localStorage.setItem(
    "shelfwise.draft.1.add",
    JSON.stringify({ base: { impressions: "" }, values: { impressions: "Slow." } }),
  );
  await choose();
  expect(title()).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Start over" }));
  expect(title()).toHaveProperty("value", "");
  await waitFor(() => expect(document.activeElement).toBe(title()));
  expect(screen.queryByText(/^Filled in:/)).toBeNull();
  expect(screen.getByRole("searchbox", { name: "Look it up" })).toHaveProperty("value", "");
});
