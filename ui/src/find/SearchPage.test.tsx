import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { navigate } from "../kit/origin";
import { NORA, renderAs } from "../test-reader";
import { pageServer } from "../test-server";
import SearchPage from "./SearchPage";

const MIDDLEMARCH = { id: 7, title: "Middlemarch", author: "George Eliot" };
const HITS = [
  {
    kind: "book",
    book: { id: 3, title: "Silence", author: "Shusaku Endo" },
    item: null,
    place: null,
    day: null,
    parts: [{ text: "Silence", hit: true }],
  },
  {
    kind: "quote",
    book: MIDDLEMARCH,
    item: null,
    place: "p. 194",
    day: null,
    parts: [
      { text: "…the other side of ", hit: false },
      { text: "silence", hit: true },
      { text: ".", hit: false },
    ],
  },
];

const server = pageServer(
  "/search",
  http.get("*/api/search", ({ request }) => {
    const query = new URL(request.url).searchParams;
    if (query.get("q") !== "silence") return HttpResponse.json({ data: [], nextCursor: null, matching: 0 });
    const found = query.get("in") ? HITS.filter(({ kind }) => `${kind}s` === query.get("in")) : HITS;
    const [data, nextCursor] = query.get("cursor") ? [found.slice(1), null] : [found.slice(0, 1), "1"];
    return HttpResponse.json({ data, nextCursor, matching: found.length });
  }),
  http.get("*/api/books/titles", () =>
    HttpResponse.json({
      data: [{ ...MIDDLEMARCH, status: "completed", dateCompleted: "2024-03-02", completedFrom: null }],
    }),
  ),
  http.get("*/api/tbr", () => HttpResponse.json({ data: [] })),
  http.get("*/api/quotes", ({ request }) => {
    const query = new URL(request.url).searchParams;
    const isOfADay = query.get("random") === "true" && /^\d{4}-\d\d-\d\d$/.test(query.get("seed") ?? "");
    const quote = { bookId: 7, title: "Middlemarch", author: "George Eliot", text: "That roar.", place: "p. 194" };
    return HttpResponse.json({
      data: isOfADay ? [{ ...quote, note: null, day: null }] : [],
      nextCursor: null,
      matching: 1,
    });
  }),
);

const field = () => screen.getByRole("searchbox", { name: "Search your library" });

it("before anything is sought shows the quote of the day, and after that no more", async () => {
  renderAs(NORA, <SearchPage />);
  expect(await screen.findByText("That roar.")).toBeTruthy();
  await userEvent.type(field(), "s");
  expect(screen.queryByText("That roar.")).toBeNull();
  expect(screen.getByText("Type at least two letters.")).toBeTruthy();
});

it("shows what was found with its place, marks what was sought, and fetches more", async () => {
  renderAs(NORA, <SearchPage />);
  await userEvent.type(field(), "silence");
  expect(await screen.findByText("2 results found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Silence" }).getAttribute("href")).toBe("/book/3");
  expect(screen.getByText("1 of 2")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  const quote = (await screen.findByText("Quote")).closest("li") as HTMLElement;
  expect(within(quote).getByText("silence").tagName).toBe("MARK");
  expect(within(quote).getByText("p. 194")).toBeTruthy();
  const book = within(quote).getByRole("link", { name: "Middlemarch" });
  expect(book.getAttribute("href")).toBe("/book/7");
  expect(document.activeElement).toBe(book);
  await expect.poll(() => window.location.search).toBe("?q=silence");
});

it("says below what was found that the rest of it did not come, and asks for that again", async () => {
  renderAs(NORA, <SearchPage />);
  await userEvent.type(field(), "silence");
  await screen.findByText("1 of 2");
  server.use(http.get("*/api/search", () => new HttpResponse(null, { status: 500 }), { once: true }));
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  expect(await screen.findByText("The rest could not be loaded.")).toBeTruthy();
  expect(screen.queryByText("The search did not work.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Quote")).toBeTruthy();
});

it("follows its address when it says something else than was typed", async () => {
  renderAs(NORA, <SearchPage />);
  await userEvent.type(field(), "silence");
  await expect.poll(() => window.location.search).toBe("?q=silence");
  act(() => navigate("/search?tab=quotes"));
  expect(field()).toHaveProperty("value", "");
  await userEvent.type(field(), "sil");
  act(() => navigate("/search?q=sil"));
  act(() => navigate("/search?tab=quotes"));
  expect(field()).toHaveProperty("value", "");
});

it("says that one letter is not enough, and that nothing was found", async () => {
  renderAs(NORA, <SearchPage />);
  await userEvent.type(field(), "s");
  expect(screen.getByText("Type at least two letters.")).toBeTruthy();
  await userEvent.type(field(), "andworm");
  expect(await screen.findByText("Nothing found for “sandworm”.")).toBeTruthy();
  expect(screen.getByText("Search looks at titles, authors, tags, impressions, quotes and notes.")).toBeTruthy();
});

it("answers without a connection from the titles that this browser has", async () => {
  server.use(http.get("*/api/search", () => HttpResponse.error()));
  renderAs(NORA, <SearchPage />);
  await userEvent.type(field(), "eliot");
  expect(await screen.findByRole("link", { name: "Middlemarch" })).toBeTruthy();
  expect(await screen.findByText(/There is no connection\. Only titles and authors were searched\./)).toBeTruthy();
  expect(screen.getByText("read Mar 2, 2024")).toBeTruthy();
});

it("looks among the quotes alone in their tab", async () => {
  window.history.replaceState(null, "", "/search?tab=quotes&q=silence");
  renderAs(NORA, <SearchPage />);
  expect(await screen.findByText("1 result found")).toBeTruthy();
  expect(screen.getByRole("tab", { name: "Quotes" }).getAttribute("aria-selected")).toBe("true");
});
