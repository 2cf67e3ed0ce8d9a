import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Book } from "../../kit/api/types";
import { ANSWERS, NORA, renderAs } from "../../test-reader";
import { aRead } from "../books/test-read";
import AddBookPage from "./AddBookPage";

// These tests use whole pages by role, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

let sent: { call: string; body: unknown }[] = [];
let book: Book;
const noted = async (call: string, request: Request) => sent.push({ call, body: await request.json() });
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
afterEach(() => server.resetHandlers());
beforeEach(() => {
  localStorage.clear();
  sent = [];
  book = aRead();
  server.use(
    http.get("*/api/books", () => HttpResponse.json({ data: [], total: 0, limitedToMonths: null })),
    http.get("*/api/books/titles", () => HttpResponse.json({ data: [book] })),
    http.get("*/api/books/7", () => HttpResponse.json({ book })),
    http.get("*/api/stats/options", () =>
      HttpResponse.json({ genres: [], authors: [{ name: "Neil Gaiman", words: 1, books: 1 }], formats: [] }),
    ),
    http.get("*/api/tags", () => HttpResponse.json({ data: [{ name: "owned", books: 3, shelf: true, icon: "home" }] })),
    http.get("*/api/series", () =>
      HttpResponse.json({
        data: [{ name: "Dune", read: 1, open: 0, known: ["1"], missing: [], next: 2 }],
      }),
    ),
    http.post("*/api/books", async ({ request }) => {
      await noted("POST", request);
      return HttpResponse.json({ book }, { status: 201 });
    }),
    http.patch("*/api/books/7", async ({ request }) => {
      await noted("PATCH", request);
      return HttpResponse.json({ book });
    }),
    ...ANSWERS,
  );
});

function open(address: string) {
  window.history.replaceState(null, "", address);
  renderAs(NORA, <AddBookPage />);
  return userEvent.setup();
}

const field = (name: string) => screen.findByRole("textbox", { name });
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const unfold = async () => userEvent.click(await screen.findByText("More about this edition"));

it("several authors are added by Enter or by a button, put in order, and sent as a list", async () => {
  const user = open("/add-book");
  await user.type(await field("Title"), "Good Omens");
  await user.type(await field("Authors"), "Terry Pratchett{Enter}");
  expect(await field("Authors")).toHaveProperty("value", "");
  expect(sent).toEqual([]);
  await user.type(await field("Authors"), "Nobody");
  await press("Another one");
  await press("Remove Nobody");
  await user.type(await field("Authors"), "gai");
  await press("Neil Gaiman");
  await press("Another one");
  await press("Move Neil Gaiman forward");
  expect(document.activeElement).toBe(await field("Authors"));
  await user.click(screen.getByRole("radio", { name: /^No date/ }));
  await press("Add Book");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ title: "Good Omens", authors: ["Neil Gaiman", "Terry Pratchett"] });
  expect(sent[0]?.body).not.toHaveProperty("author");
});

it("tags, series, edition and contributors are typed, suggested and sent", async () => {
  const user = open("/add-book");
  await user.type(await field("Title"), "Dune");
  await user.type(await field("Authors"), "Frank Herbert");
  await user.click(screen.getByRole("radio", { name: /^No date/ }));
  await unfold();
  await user.type(await field("Tags"), "ow");
  await press("owned");
  await user.type(await field("Tags"), "desert,empire");
  await user.type(await field("Series"), "du");
  await press("Dune");
  expect(await screen.findByText("You have #1. Next: #2.")).toBeTruthy();
  await user.type(await field("Number in the series"), "1");
  await user.type(await field("Publisher"), "Penguin Classics");
  await user.type(await field("Published"), "2016");
  await user.type(await field("First published"), "1965");
  await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "English");
  await press("Add translator, narrator, editor");
  await user.type(await field("Name of contributor 1"), "Scott Brick");
  await user.selectOptions(screen.getByRole("combobox", { name: "Role of contributor 1" }), "Narrator");
  expect(screen.getByText("Dune #1, 3 tags, Penguin Classics 2016")).toBeTruthy();
  await press("Add Book");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    author: "Frank Herbert",
    series: { name: "Dune", number: "1" },
    tags: ["owned", "desert", "empire"],
    publisher: "Penguin Classics",
    published: "2016",
    originalYear: 1965,
    language: "en",
    contributors: [{ name: "Scott Brick", role: "narrator" }],
  });
});

it("a book that nobody else sees is marked in the folded part, and the mark is taken off again", async () => {
  const user = open("/add-book");
  await user.type(await field("Title"), "Dune");
  await user.type(await field("Authors"), "Frank Herbert");
  await user.click(screen.getByRole("radio", { name: /^No date/ }));
  await unfold();
  await user.click(screen.getByRole("checkbox", { name: "Only I see this book" }));
  expect(screen.getByText("only you see it")).toBeTruthy();
  await press("Add Book");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ private: true });
  cleanup();
  book = aRead({ private: true });
  open("/add-book?tab=edit&bookId=7");
  await unfold();
  await user.click(screen.getByRole("checkbox", { name: "Only I see this book" }));
  await press("Update Book");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toEqual({ private: false });
});

it("a refused field opens the part that folds it, and has the focus", async () => {
  const user = open("/add-book?tab=edit&bookId=7");
  await unfold();
  await user.type(await field("First published"), "spring");
  await unfold();
  const fold = (await field("First published")).closest("details");
  expect(fold?.open).toBe(false);
  await press("Update Book");
  expect(await screen.findByText(/^Type a year from/)).toBeTruthy();
  expect(fold?.open).toBe(true);
  expect(document.activeElement).toBe(await field("First published"));
  expect(sent).toEqual([]);
});

it("what the server refuses stands at its field", async () => {
  server.use(
    http.patch("*/api/books/7", () =>
      HttpResponse.json(
        { error: "No.", code: "validation_failed", fields: { tags: "A tag is odd.", authors: "An author is odd." } },
        { status: 422 },
      ),
    ),
  );
  const user = open("/add-book?tab=edit&bookId=7");
  await user.type(await field("Tags"), "odd");
  await press("Update Book");
  expect(await screen.findByText("A tag is odd.")).toBeTruthy();
  expect(screen.getByText("An author is odd.")).toBeTruthy();
  expect(await field("Tags")).toHaveProperty("value", "odd");
});

it("a stored edition is shown, only what is changed is sent, and an emptied field clears it", async () => {
  book = aRead({
    author: "Frank Herbert, Kevin J. Anderson",
    authors: ["Frank Herbert", "Kevin J. Anderson"],
    series: { name: "Dune", number: "1" },
    tags: ["owned", "desert"],
    publisher: "Penguin Classics",
    published: "2016",
    originalYear: 1965,
    language: "en",
    contributors: [{ name: "Scott Brick", role: "narrator" }],
  });
  const user = open("/add-book?tab=edit&bookId=7");
  expect(await screen.findByText("Dune #1, 2 tags, Penguin Classics 2016")).toBeTruthy();
  await press("Remove Kevin J. Anderson");
  await press("Remove desert");
  await user.clear(await field("Publisher"));
  await press("Remove Scott Brick");
  await press("Update Book");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    authors: ["Frank Herbert"],
    tags: ["owned"],
    publisher: null,
    contributors: [],
  });
});

it("a missing book of a series comes with the series filled in", async () => {
  open("/add-book?series=Dune&number=2&author=Frank+Herbert");
  expect(await screen.findByText("Dune #2")).toBeTruthy();
  expect(await field("Series")).toHaveProperty("value", "Dune");
  expect(within((await field("Series")).closest("fieldset") as HTMLElement).getByDisplayValue("2")).toBeTruthy();
  expect(await field("Authors")).toHaveProperty("value", "Frank Herbert");
});
