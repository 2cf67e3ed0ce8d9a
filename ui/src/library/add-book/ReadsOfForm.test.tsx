import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Book } from "../../kit/api/types";
import { today } from "../../kit/format";
import { ANSWERS, NORA, PREFERENCES, renderAs } from "../../test-reader";
import { aRead } from "../books/test-read";
import AddBookPage from "./AddBookPage";

vi.setConfig({ testTimeout: 30_000 });

const TODAY = today(PREFERENCES.timezone ?? undefined);

/** The reads of the library, and what was sent to the server: the call and its body. */
let reads: Book[] = [];
let sent: { call: string; body: unknown }[] = [];

async function noted(request: Request): Promise<unknown> {
  const { pathname, search } = new URL(request.url);
  const body: unknown = await request.json();
  sent.push({ call: `${request.method} ${pathname}${search}`, body });
  return body;
}

const server = setupServer(
  http.get("*/api/tbr", () => HttpResponse.json({ data: [] })),
  http.get("*/api/books/titles", () => HttpResponse.json({ data: reads })),
  http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
  http.get("*/api/books", () => HttpResponse.json({ data: [], total: 0, limitedToMonths: null })),
  http.get("*/api/books/:id/days", () => HttpResponse.json({ data: [] })),
  http.get("*/api/books/:id", ({ params }) =>
    HttpResponse.json({ book: reads.find(({ id }) => String(id) === params.id) }, { headers: { ETag: '"1"' } }),
  ),
  http.post("*/api/books", async ({ request }) => {
    await noted(request);
    return HttpResponse.json({ book: aRead({ id: 12 }) }, { status: 201 });
  }),
  http.patch("*/api/books/:id", async ({ request }) => {
    await noted(request);
    return HttpResponse.json({ book: reads[0] });
  }),
  http.put("*/api/books/:id/days/:day", async ({ request }) => {
    await noted(request);
    return HttpResponse.json({ book: reads[0], day: {} });
  }),
  ...ANSWERS,
);

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  localStorage.clear();
  sent = [];
  reads = [
    aRead({ id: 7 }),
    aRead({ id: 8, dateCompleted: "2020-12-31", completedFrom: "2018-01-01" }),
    aRead({ id: 9 }),
  ];
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

function open(address: string) {
  window.history.replaceState(null, "", address);
  renderAs(NORA, <AddBookPage />);
  return userEvent.setup();
}

const field = (name: string) => screen.findByRole("textbox", { name });
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("a changed title asks for which reads it is meant, and is for all of them unless said otherwise", async () => {
  const user = open("/add-book?tab=edit&bookId=7");
  await user.type(await field("Impressions"), "Sand.");
  expect(screen.queryByText(/has 3 reads/)).toBeNull();
  await user.type(await field("Title"), " Messiah");
  expect(await screen.findByText(/You changed the title/)).toBeTruthy();
  expect(screen.getByRole("radio", { name: "For all 3 reads" })).toHaveProperty("checked", true);
  await user.type(await field("Genres"), ", Classics");
  expect(await screen.findByText(/You changed the title and genres/)).toBeTruthy();
  await press("Update Book");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    call: "PATCH /api/books/7?reads=all",
    body: { title: "Dune Messiah", genres: ["Science Fiction", "Classics"], impressions: "Sand." },
  });
});

it("a changed title may be for one read only", async () => {
  const user = open("/add-book?tab=edit&bookId=7");
  await user.type(await field("Authors"), " Jr.");
  await user.click(await screen.findByRole("radio", { name: "Only for this one" }));
  await press("Update Book");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.call).toBe("PATCH /api/books/7");
});

it("a book with one read is not asked about", async () => {
  reads = [aRead()];
  const user = open("/add-book?tab=edit&bookId=7");
  await user.type(await field("Title"), "!");
  expect(screen.queryByText(/You changed the title/)).toBeNull();
});

it("the picker distinguishes the reads of one book by their days", async () => {
  open("/add-book?tab=edit&bookId=8");
  expect(await screen.findByRole("button", { name: "Book Dune - Frank Herbert 2018 – 2020" })).toBeTruthy();
});

it("the place of a book that was given up is stored in its log, on the day on which it was put away", async () => {
  const user = open("/add-book");
  await user.type(await field("Title"), "Ulysses");
  await user.type(await field("Authors"), "James Joyce");
  await user.click(screen.getByRole("radio", { name: "Did not finish" }));
  const place = await field("Place reached");
  await user.type(place, "131");
  await press("Add Book");
  expect(await screen.findByText(/must be a number from 0 to 100/)).toBeTruthy();
  await user.clear(place);
  await user.type(place, "31%");
  await press("Add Book");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]).toMatchObject({ call: "POST /api/books", body: { status: "did-not-finish", stoppedDate: TODAY } });
  expect(sent[0]?.body).not.toHaveProperty("place");
  expect(sent[1]).toEqual({ call: `PUT /api/books/12/days/${TODAY}`, body: { percent: 31 } });
});

it("a book is added, whether or not its place can be stored", async () => {
  server.use(http.put("*/api/books/:id/days/:day", () => HttpResponse.json({ error: "No." }, { status: 500 })));
  const user = open("/add-book");
  await user.type(await field("Title"), "Ulysses");
  await user.type(await field("Authors"), "James Joyce");
  await user.click(screen.getByRole("radio", { name: "Currently reading" }));
  await user.type(await field("Pages"), "700");
  await user.type(await field("Place reached"), "212");
  expect(screen.getByText("of 700")).toBeTruthy();
  await press("Add Book");
  expect(await screen.findByText(/^The place reached could not be saved/)).toBeTruthy();
  expect(screen.getByText("Book added successfully!")).toBeTruthy();
});

it("the place is there again when the book is edited, and is corrected on the last day of the log", async () => {
  const progress = { at: 3_100, page: 124, day: "2025-03-22" };
  const [status, stoppedDate] = ["did-not-finish", "2025-03-20"] as const;
  reads = [aRead({ status, stoppedDate, dateCompleted: null, rating: null, pages: 400, progress })];
  const user = open("/add-book?tab=edit&bookId=7");
  const place = await field("Place reached");
  expect(place).toHaveProperty("value", "124");
  expect(screen.getByText("of 400")).toBeTruthy();
  await user.clear(place);
  await user.type(place, "130");
  await press("Update Book");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    { call: "PATCH /api/books/7", body: {} },
    { call: "PUT /api/books/7/days/2025-03-22", body: { page: 130 } },
  ]);
});

it("a book that was finished has no place, and gets one when it is given up", async () => {
  reads = [aRead({ progress: { at: 10_000, page: null, day: "2024-06-16" } })];
  const user = open("/add-book?tab=edit&bookId=7");
  await user.click(await screen.findByRole("radio", { name: "Did not finish" }));
  const place = await field("Place reached");
  expect(place).toHaveProperty("value", "");
  await user.type(place, "40");
  await press("Update Book");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ call: `PUT /api/books/7/days/${TODAY}`, body: { percent: 40 } });
});

it("a second read in progress is refused with the way to the first", async () => {
  server.use(
    http.patch("*/api/books/:id", () =>
      HttpResponse.json(
        { error: "You are reading this already.", code: "already_reading", bookId: 9 },
        { status: 409 },
      ),
    ),
  );
  const user = open("/add-book?tab=edit&bookId=7");
  await user.click(await screen.findByRole("radio", { name: "Currently reading" }));
  await press("Update Book");
  await press("Mark as unfinished");
  const links = await screen.findAllByRole("link", { name: "Go to the open read" });
  expect(links.map((link) => link.getAttribute("href"))).toContain("/book/9");
  expect(screen.getByRole("alert").textContent).toContain("You are reading this already.");
});

it("the address of a field moves the focus to it", async () => {
  open("/add-book?tab=edit&bookId=7#quotes");
  const quotes = await field("Quotes");
  await waitFor(() => expect(document.activeElement).toBe(quotes));
});

it("a finished book that is being read again asks before its figures shrink", async () => {
  const user = open("/add-book?tab=edit&bookId=7");
  await user.click(await screen.findByRole("radio", { name: "Currently reading" }));
  await press("Update Book");
  expect(await screen.findByRole("alertdialog", { name: "Mark as unfinished?" })).toBeTruthy();
  expect(sent).toEqual([]);
  await press("Cancel");
  await press("Update Book");
  await press("Mark as unfinished");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ call: "PATCH /api/books/7", body: { status: "in-progress", dateCompleted: null } });
});
