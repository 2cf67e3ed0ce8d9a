import { QueryClientProvider } from "@tanstack/react-query";
import { configure, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { signedIn } from "../../access/viewer";
import type { TbrItem } from "../../kit/api/types";
import { createQueryClient } from "../../kit/query";
import { ToastHost } from "../../kit/ui/ToastHost";
import { NORA, PREFERENCES } from "../../test-reader";
import TbrPage from "./TbrPage";

// These tests use whole pages by role, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 5_000 });

const item = (id: number, title: string, changes: Partial<TbrItem> = {}): TbrItem => ({
  id,
  title,
  author: "Somebody",
  wordCount: 1_500,
  notes: null,
  pages: null,
  isbn: null,
  position: id,
  format: null,
  tags: [],
  wordCountSource: null,
  createdAt: "2025-03-09T10:00:00Z",
  ...changes,
});

let list: TbrItem[] = [];
let months: number | null = null;
const server = setupServer(
  http.get("*/api/tbr", () => HttpResponse.json({ data: list, pile: { words: 3_000, unknown: 1, months } })),
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: PREFERENCES })),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
afterEach(() => server.resetHandlers());
beforeEach(() => {
  list = [item(1, "Kindred"), item(2, "Beowulf", { author: null, wordCount: null }), item(3, "Pachinko")];
  window.history.replaceState(null, "", "/tbr");
  vi.stubGlobal("matchMedia", () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

function open() {
  localStorage.clear();
  const client = createQueryClient(() => undefined);
  signedIn(client, NORA);
  render(
    <QueryClientProvider client={client}>
      <TbrPage />
      <ToastHost />
    </QueryClientProvider>,
  );
}

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const act = async (title: string, action: string) => {
  await press(`Actions for ${title}`);
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
};
const order = () =>
  screen.getAllByRole("button", { name: /^Reorder / }).map((handle) => handle.getAttribute("aria-label")?.slice(8));

it("says how many books wait, how many words, and which books have no count", async () => {
  open();
  expect(await screen.findByText("3 books in your TBR")).toBeTruthy();
  expect(screen.getAllByText("1,500 words")).toHaveLength(4);
  expect(screen.getByText(/3\.0K words are waiting, not counting 1 book without a word count\./)).toBeTruthy();
});

it("an empty list says where books come from", async () => {
  list = [];
  open();
  expect(await screen.findByText("Your TBR list is empty")).toBeTruthy();
  expect(screen.getByText("Add books from the Add Book page")).toBeTruthy();
});

it("a move is shown at once, announced, and sent as the whole order", async () => {
  const orders: unknown[] = [];
  server.use(
    http.post("*/api/tbr/reorder", async ({ request }) => {
      orders.push(await request.json());
      list = [2, 1, 3].flatMap((id) => list.filter((one) => one.id === id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open();
  await act("Kindred", "Move down");
  expect(order()).toEqual(["Beowulf", "Kindred", "Pachinko"]);
  expect(screen.getByText("Kindred, position 2 of 3.")).toBeTruthy();
  await waitFor(() => expect(orders).toEqual([{ bookIds: [2, 1, 3] }]));
  await press("Actions for Beowulf");
  expect((await screen.findByRole("menuitem", { name: "Move up" })).getAttribute("aria-disabled")).toBe("true");
});

it("a move that the server refuses goes back", async () => {
  server.use(
    http.post("*/api/tbr/reorder", () => HttpResponse.json({ error: "Not that one.", code: "x" }, { status: 404 })),
  );
  open();
  await act("Pachinko", "Move up");
  expect(await screen.findByText("Failed to change the order")).toBeTruthy();
  await waitFor(() => expect(order()).toEqual(["Kindred", "Beowulf", "Pachinko"]));
});

it("an item is removed only when the reader agrees", async () => {
  const confirm = vi.fn(() => false);
  vi.stubGlobal("confirm", confirm);
  server.use(
    http.delete("*/api/tbr/1", () => {
      list = list.slice(1);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open();
  localStorage.setItem("shelfwise.draft.1.tbr.1", "{}");
  await act("Kindred", "Remove");
  expect(confirm).toHaveBeenCalledWith('Delete "Kindred" from your TBR?');
  expect(list).toHaveLength(3);
  confirm.mockReturnValue(true);
  await act("Kindred", "Remove");
  expect(await screen.findByText("Book removed from TBR")).toBeTruthy();
  expect(localStorage.getItem("shelfwise.draft.1.tbr.1")).toBeNull();
  expect(await screen.findByText("2 books in your TBR")).toBeTruthy();
});

it("starting a book says so, with the way to the book's page", async () => {
  server.use(
    http.post("*/api/tbr/1/start", () => {
      list = list.slice(1);
      return HttpResponse.json({ book: { id: 71 } }, { status: 201 });
    }),
  );
  open();
  await press("Start reading Kindred");
  expect(await screen.findByText("Started reading")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Kindred" }).getAttribute("href")).toBe("/book/71");
});

it("two books that are started at once are both reported", async () => {
  const answers: (() => void)[] = [];
  server.use(
    http.post("*/api/tbr/:id/start", async ({ params }) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      if (params.id === "1") return HttpResponse.json({ error: "Not now.", code: "x" }, { status: 409 });
      return HttpResponse.json({ book: { id: 73 } }, { status: 201 });
    }),
  );
  open();
  await press("Start reading Kindred");
  await press("Start reading Pachinko");
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.();
  expect(await screen.findByText("Failed to start reading")).toBeTruthy();
  answers[1]?.();
  expect(await screen.findByText("Started reading")).toBeTruthy();
});

it("a list without any word count says so", async () => {
  list = [item(2, "Beowulf", { author: null, wordCount: null })];
  open();
  expect(await screen.findByText(/None of these books has a word count yet\.$/)).toBeTruthy();
});

it("starting a book without an author opens the form that asks for one", async () => {
  open();
  await press("Start reading Beowulf");
  expect(window.location.pathname + window.location.search).toBe("/add-book?tbr=2&status=in-progress");
});

it("an item is edited in a dialog, and only what was changed is sent", async () => {
  const changes: unknown[] = [];
  server.use(
    http.patch("*/api/tbr/1", async ({ request }) => {
      changes.push(await request.json());
      return HttpResponse.json({ item: list[0] });
    }),
  );
  open();
  await act("Kindred", "Edit");
  await userEvent.click(await screen.findByRole("textbox", { name: "Pages" }));
  await userEvent.paste("304");
  await press("Save");
  expect(await screen.findByText("TBR book updated")).toBeTruthy();
  expect(changes).toEqual([{ pages: 304 }]);
});

it("a dialog stays open until the answer is known, and keeps no draft of what was saved", async () => {
  const answers: ((answer: Response) => void)[] = [];
  server.use(http.patch("*/api/tbr/1", () => new Promise<Response>((resolve) => answers.push(resolve))));
  open();
  await act("Kindred", "Edit");
  await userEvent.click(await screen.findByRole("textbox", { name: "Pages" }));
  await userEvent.paste("3");
  await press("Save");
  await waitFor(() => expect(answers).toHaveLength(1));
  await userEvent.keyboard("{Escape}");
  answers[0]?.(HttpResponse.json({ error: "The disk is full.", code: "disk_full" }, { status: 409 }));
  expect(await screen.findByText("Failed to update TBR book")).toBeTruthy();
  expect(screen.getByRole("dialog")).toBeTruthy();
  expect(localStorage.length).toBe(1);
  await press("Save");
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(HttpResponse.json({ item: list[0] }));
  expect(await screen.findByText("TBR book updated")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(localStorage.length).toBe(0);
});

it("a list begins with 25 rows, and goes on by fifty or to its end", async () => {
  list = Array.from({ length: 90 }, (_, at) => item(at + 1, `Book ${at + 1}`));
  open();
  expect(await screen.findByText("25 of 90 books")).toBeTruthy();
  await press("50 more");
  expect(await screen.findByText("75 of 90 books")).toBeTruthy();
  await press("15 more");
  await waitFor(() => expect(screen.queryByText(/of 90 books/)).toBeNull());
});

it("of a long list only some rows are in the page, and a search answers with places", async () => {
  list = Array.from({ length: 700 }, (_, at) => item(at + 1, `Book ${at + 1}`));
  const orders: { bookIds: number[] }[] = [];
  server.use(
    http.post("*/api/tbr/reorder", async ({ request }) => {
      orders.push((await request.json()) as { bookIds: number[] });
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open();
  expect(await screen.findByText("700 books in your TBR")).toBeTruthy();
  expect(order().length).toBeLessThan(100);
  await userEvent.click(screen.getByRole("searchbox", { name: "Search your TBR" }));
  await userEvent.paste("book 640");
  expect(await screen.findByText("1 book found")).toBeTruthy();
  expect(screen.getByText("640")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Actions for Book 640" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Move to top" }));
  await waitFor(() => expect(orders[0]?.bookIds.slice(0, 2)).toEqual([640, 1]));
  await userEvent.clear(screen.getByRole("searchbox", { name: "Search your TBR" }));
  await userEvent.paste("nothing such");
  expect(await screen.findByText("Nothing on your TBR contains “nothing such”.")).toBeTruthy();
});

it("says how long the list takes at the reader's pace", async () => {
  months = 14;
  open();
  const text = /words are waiting, about 14 months at your pace, not counting 1 book without a word count\.$/;
  expect(await screen.findByText(text)).toBeTruthy();
  months = null;
});

it("picks a book of a length, which is started at once", async () => {
  const asked: (string | null)[] = [];
  let started = 0;
  server.use(
    http.get("*/api/tbr/pick", ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("maxWords"));
      return HttpResponse.json({ item: asked.length === 1 ? null : list[0] });
    }),
    http.post("*/api/tbr/1/start", () => {
      started += 1;
      return HttpResponse.json({ book: { id: 9 } }, { status: 201 });
    }),
  );
  open();
  await press("Pick for me");
  expect(await screen.findByText("No book of that length is on your list.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Start reading" })).toHaveProperty("disabled", true);
  await userEvent.selectOptions(screen.getByLabelText("Length"), "Up to 50,000 words");
  await waitFor(() => expect(asked).toEqual([null, "50000"]));
  await waitFor(() => expect(screen.getByRole("button", { name: "Start reading" })).toHaveProperty("disabled", false));
  await press("Start reading");
  await waitFor(() => expect(window.location.pathname).toBe("/book/9"));
  expect(started).toBe(1);
});
