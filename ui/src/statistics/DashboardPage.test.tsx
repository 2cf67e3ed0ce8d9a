import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { entryKey } from "../access/outbox";
import { signedIn } from "../access/viewer";
import type { Book, Stats, StatsOptions, TbrItem } from "../kit/api/types";
import { today as todayIn } from "../kit/format";
import { createQueryClient } from "../kit/query";
import { ToastHost } from "../kit/ui/ToastHost";
import { aRead } from "../library/books/test-read";
import { NORA } from "../test-reader";
import DashboardPage from "./DashboardPage";

const EMMA = aRead({
  title: "Emma",
  author: "Jane Austen",
  wordCount: 155_887,
  format: "eBook",
  reread: true,
  genres: ["Classics"],
  authors: ["Jane Austen"],
  createdAt: "2024-06-16T12:00:00Z",
  updatedAt: "2024-06-16T12:00:00Z",
});

const TRUST: Book = { ...EMMA, id: 8, title: "Trust", status: "in-progress", dateCompleted: null, rating: null };

const STATS: Stats = {
  kpis: {
    totalWords: 155_887,
    wordsYtd: 0,
    wordsLast30Days: 0,
    booksRead: 1,
    averageRating: 8,
    authors: 1,
    booksYtd: 0,
    booksLast30Days: 0,
    rereads: 1,
    ratedBooks: 1,
  },
  genres: [{ name: "Classics", words: 155_887, books: 1 }],
  authors: [{ name: "Jane Austen", words: 155_887, books: 1 }],
  monthlyWords: [{ month: "2024-06", words: 155_887, books: 1, aboutWords: 0 }],
  formats: [{ format: "eBook", words: 155_887, books: 1, minutes: 0 }],
  shelf: {
    books: [{ ...EMMA, date: "2024-06-16" }],
    hidden: 0,
  },
  library: { total: 2, visible: 2, limitedToMonths: null },
  locked: [],
};

const NOTHING: Stats = {
  ...STATS,
  kpis: { ...STATS.kpis, totalWords: 0, booksRead: 0, averageRating: null, authors: 0, rereads: 0, ratedBooks: 0 },
  genres: [],
  authors: [],
  monthlyWords: [],
  formats: [],
  shelf: { books: [], hidden: 0 },
};

const OPTIONS: StatsOptions = {
  genres: [{ name: "Classics", words: 155_887, books: 1 }],
  authors: [{ name: "Jane Austen", words: 155_887, books: 1 }],
  formats: [{ name: "eBook", words: 155_887, books: 1 }],
};

const ORLANDO: TbrItem = {
  id: 1,
  title: "Orlando",
  author: "Virginia Woolf",
  wordCount: null,
  notes: null,
  pages: null,
  isbn: null,
  position: 1,
  format: null,
  tags: [],
  wordCountSource: null,
  createdAt: "2024-06-16T12:00:00Z",
};
const SANDITON: TbrItem = { ...ORLANDO, id: 2, title: "Sanditon", author: "Jane Austen" };

/** The open books, the one noted last first. */
let reading: Book[] = [];
let stats: (query: URLSearchParams) => Stats = () => STATS;
let books: (query: URLSearchParams) => Book[] = () => [EMMA, TRUST];
/** The requests of each list, newest last. */
let asked: URLSearchParams[] = [];

function list(query: URLSearchParams) {
  asked.push(query);
  const data = books(query);
  return { data, total: 2, limitedToMonths: null, matching: data.length, nextCursor: null };
}

const server = setupServer(
  http.get("*/api/books/:id/days", () => HttpResponse.json({ data: [] })),
  http.get("*/api/stats", ({ request }) => HttpResponse.json(stats(new URL(request.url).searchParams))),
  http.get("*/api/dashboard", ({ request }) => {
    const query = new URL(request.url).searchParams;
    return HttpResponse.json({ stats: stats(query), books: list(query) });
  }),
  http.get("*/api/reading", () => {
    const open = reading.map((book) => ({ book, forecast: null }));
    return HttpResponse.json({ open, goals: [], streak: null, today: todayIn("UTC") });
  }),
  http.get("*/api/views", () => HttpResponse.json({ data: [] })),
  http.get("*/api/stats/options", () => HttpResponse.json(OPTIONS)),
  http.get("*/api/site", () => HttpResponse.json({ signup: "open" })),
  http.get("*/api/preferences", () =>
    HttpResponse.json({ preferences: { defaultStatsView: "books", timezone: "UTC" } }),
  ),
  http.get("*/api/books", ({ request }) => {
    return HttpResponse.json(list(new URL(request.url).searchParams));
  }),
  http.get("*/api/books/titles", () =>
    HttpResponse.json({
      data: [
        { id: 7, title: "Emma", author: "Jane Austen", status: "completed", dateCompleted: "2024-06-16", work: 7 },
        { id: 8, title: "Trust", author: "Hernan Diaz", status: "in-progress", dateCompleted: null, work: 8 },
      ],
    }),
  ),
  http.get("*/api/tbr", () => HttpResponse.json({ data: [ORLANDO, SANDITON] })),
  http.get("*/api/tags", () => HttpResponse.json({ data: [] })),
  http.get("*/api/series", () => HttpResponse.json({ data: [] })),
  http.get("*/api/books/languages", () => HttpResponse.json({ data: [] })),
);
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  stats = () => STATS;
  books = () => [EMMA, TRUST];
  reading = [];
  asked = [];
  localStorage.clear();
  window.history.replaceState(null, "", "/dashboard");
  window.innerWidth = 1280;
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open() {
  const client = createQueryClient(() => undefined);
  signedIn(client, NORA);
  render(
    <QueryClientProvider client={client}>
      <DashboardPage />
      <ToastHost />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

/** The header of a column of the books table. */
const header = (name: string) => screen.findByRole("columnheader", { name });

describe("a library with books", () => {
  it("shows its count, its figures and its books, after a spinner", async () => {
    open();
    expect(screen.getByText("Fetching your books")).toBeTruthy();
    expect(await screen.findByText("2 books tracked")).toBeTruthy();
    expect(screen.getByText("155.9")).toBeTruthy();
    expect(screen.getByText("out of 10, 1 rated")).toBeTruthy();
    expect(await screen.findByRole("link", { name: "Edit Emma" })).toBeTruthy();
  });

  it("leads to the running year", async () => {
    open();
    const year = todayIn(undefined).slice(0, 4);
    const link = await screen.findByRole("link", { name: `Your ${year} so far` });
    expect(link.getAttribute("href")).toBe(`/years/${year}`);
  });

  it("marks books in progress in the table", async () => {
    open();
    expect(await screen.findByText("In Progress")).toBeTruthy();
  });

  it("measures genres by what the reader prefers", async () => {
    open();
    const toggle = await screen.findByRole("button", { name: "Books" });
    await waitFor(() => expect(toggle.getAttribute("aria-pressed")).toBe("true"));
  });

  it("measures genres by books where no book has any words, and says so of the words", async () => {
    const wordless = <Sum extends { words: number }>(sums: readonly Sum[]) => sums.map((sum) => ({ ...sum, words: 0 }));
    stats = () => ({
      ...STATS,
      genres: wordless(STATS.genres),
      monthlyWords: wordless(STATS.monthlyWords),
      formats: wordless(STATS.formats ?? []),
    });
    open();
    const genres = await screen.findByRole("table", { name: "Genre distribution by books" });
    within(genres).getByRole("row", { name: "Classics 1 100.0%" });
    expect(screen.getAllByText("None of these books has a word count yet.")).toHaveLength(2);
  });

  it("sorts by date first, and by a pressed header descending, then ascending", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    expect((await header("Date")).getAttribute("aria-sort")).toBe("descending");
    await user.click(within(await header("Rating")).getByRole("button"));
    await waitFor(() => expect(asked.at(-1)?.get("sort")).toBe("rating"));
    expect(asked.at(-1)?.get("order")).toBe("desc");
    await user.click(within(await header("Rating")).getByRole("button"));
    await waitFor(() => expect(asked.at(-1)?.get("order")).toBe("asc"));
  });

  it("keeps the order on the way back from a book, also after a filter", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    await user.click(within(await header("Rating")).getByRole("button"));
    await user.click(within(await header("Rating")).getByRole("button"));
    await waitFor(async () => expect((await header("Rating")).getAttribute("aria-sort")).toBe("ascending"));
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "em");
    await waitFor(() => expect(window.location.search).toBe("?titleSearch=em"));
    // A book is opened, and the browser goes back.
    cleanup();
    open();
    await screen.findByRole("link", { name: "Edit Emma" });
    expect((await header("Rating")).getAttribute("aria-sort")).toBe("ascending");
    expect(asked.at(-1)?.get("order")).toBe("asc");
  });

  it("exports with a word, and says when there is nothing to export", async () => {
    // The test does not check how the browser saves the file.
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:books");
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const user = open();
    const button = await screen.findByRole("button", { name: "Download CSV" });
    await user.click(button);
    expect(await screen.findByText("Your data has been exported")).toBeTruthy();
    expect(saved).toHaveBeenCalledOnce();
    books = () => [];
    await user.click(button);
    expect(await screen.findByText("You don't have any books to export")).toBeTruthy();
  });
});

describe("the filter", () => {
  it("acts on the figures and on the table, and says how many books it leaves", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    stats = (query) => (query.get("titleSearch") ? NOTHING : STATS);
    books = (query) => (query.get("titleSearch") ? [] : [EMMA, TRUST]);
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "zzz");
    expect(await screen.findByText("No results found")).toBeTruthy();
    expect(await screen.findByText("0 of 2 books")).toBeTruthy();
    expect(screen.getAllByText("No data available")).toHaveLength(4);

    const [reset] = screen.getAllByRole("button", { name: "Reset Filters" });
    await user.click(reset as HTMLElement);
    expect(await screen.findByRole("link", { name: "Edit Emma" })).toBeTruthy();
    expect(screen.queryByText("No results found")).toBeNull();
  });

  it("asks for the figures and the books of a typed title in one call", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    await screen.findByText("155.9K by this day last year");
    const calls: string[] = [];
    server.events.on("request:start", ({ request }) => {
      calls.push(new URL(request.url).pathname);
    });
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "e");
    await waitFor(() => expect(asked.at(-1)?.get("titleSearch")).toBe("e"));
    await screen.findByText("2 of 2 books");
    expect(calls).toEqual(["/api/dashboard"]);
    server.events.removeAllListeners();
  });

  it("changes figures and table in one drawing, when both are known", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    let tell = () => {};
    const known = new Promise<void>((resolve) => {
      tell = resolve;
    });
    server.use(http.get("*/api/stats", () => known.then(() => HttpResponse.json(NOTHING))));
    books = () => [];
    const drawn = new Set<string>();
    const observer = new MutationObserver(() => {
      const table = screen.queryByText("No results found") ? "without books" : "with books";
      const charts = screen.queryAllByText("No data available").length;
      drawn.add(`${table}, ${charts} charts without data`);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    await user.click(screen.getByRole("button", { name: "Genres" }));
    await user.click(await screen.findByRole("checkbox", { name: /Classics/ }));
    await waitFor(() => expect(asked.at(-1)?.get("genres")).toBe("Classics"));
    tell();
    expect(await screen.findByText("No results found")).toBeTruthy();
    observer.disconnect();
    expect([...drawn]).toEqual(["with books, 0 charts without data", "without books, 4 charts without data"]);
  });

  it("comes from the address, with a chip for each part", async () => {
    window.history.replaceState(null, "", "/dashboard?genres=Classics&minRating=8");
    const user = open();
    await user.click(await screen.findByRole("button", { name: "Remove filter Classics" }));
    expect(window.location.search).toBe("?minRating=8");
    expect(asked[0]?.getAll("genres")).toEqual(["Classics"]);
    expect(screen.getByText("Rating 8 and up")).toBeTruthy();
  });

  it("has the focus among its chips when one of them is removed, and when all are", async () => {
    window.history.replaceState(null, "", "/dashboard?genres=Classics&minRating=8");
    const user = open();
    await user.click(await screen.findByRole("button", { name: "Remove filter Classics" }));
    await user.tab();
    const next = screen.getByRole("button", { name: "Remove filter Rating 8 and up" });
    expect(document.activeElement).toBe(next);
    const chips = next.parentElement?.parentElement;
    await user.click(screen.getByRole("button", { name: "Reset Filters" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Reset Filters" })).toBeNull());
    expect(document.activeElement).toBe(chips);
  });

  it("is set in a popover at once", async () => {
    const user = open();
    await user.click(await screen.findByRole("button", { name: "Genres" }));
    await user.click(await screen.findByRole("checkbox", { name: /Classics/ }));
    expect(window.location.search).toBe("?genres=Classics");
  });
});

it("this year stands beside last year at the same day, with the same filter", async () => {
  window.history.replaceState(null, "", "/dashboard?genres=Classics");
  const calls: URLSearchParams[] = [];
  server.use(
    http.get("*/api/stats", ({ request }) => {
      const query = new URL(request.url).searchParams;
      calls.push(query);
      const totalWords = query.has("endDate") ? 340_200 : 155_887;
      return HttpResponse.json({ ...STATS, kpis: { ...STATS.kpis, totalWords } });
    }),
  );
  open();
  expect(await screen.findByText("340.2K by this day last year")).toBeTruthy();
  const lastYear = new Date().getFullYear() - 1;
  const before = calls.find((query) => query.has("endDate"));
  expect(before?.get("startDate")).toBe(`${lastYear}-01-01`);
  expect(before?.get("endDate")?.slice(0, 4)).toBe(String(lastYear));
  expect(before?.getAll("genres")).toEqual(["Classics"]);
});

it("a plan that hides last year has no comparison", async () => {
  server.use(
    http.get("*/api/stats", () => HttpResponse.json({ ...STATS, library: { ...STATS.library, limitedToMonths: 11 } })),
  );
  open();
  await screen.findByRole("link", { name: "Edit Emma" });
  expect(screen.queryByText(/by this day last year/)).toBeNull();
});

describe("what is being read", () => {
  const OPEN: Book = { ...TRUST, startDate: "2024-06-03" };

  it("stands above the filters, each book with its place and a link to it", async () => {
    reading = [{ ...OPEN, id: 9, pages: 400, progress: { at: 5_000, page: 200, day: "2024-06-20" } }, OPEN];
    open();
    const region = await screen.findByRole("region", { name: "Reading now" });
    const filters = screen.getByRole("region", { name: "Filters" });
    expect(region.compareDocumentPosition(filters)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const strip = within(region);
    const links = strip.getAllByRole("link", { name: "Trust" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/book/9", "/book/8"]);
    expect(strip.getByText("Page 200 of 400")).toBeTruthy();
    expect(strip.getByText("Since Jun 3, 2024")).toBeTruthy();
  });

  it("leaves out what is paused", async () => {
    reading = [OPEN, { ...OPEN, id: 9, title: "Momo", pausedSince: "2024-07-02" }];
    open();
    const strip = within(await screen.findByRole("region", { name: "Reading now" }));
    expect(strip.getAllByRole("link").map((link) => link.textContent)).toEqual(["Trust"]);
  });

  it("a place is noted in the row, is shown there, and can be taken back", async () => {
    const book: Book = { ...OPEN, pages: 400, progress: { at: 5_000, page: 200, day: "2024-06-20" } };
    reading = [book];
    const sent: unknown[] = [];
    server.use(
      http.put("*/api/books/8/days/:day", async ({ request }) => {
        const body = (await request.json()) as { page: number };
        sent.push(body);
        reading = [{ ...book, progress: { at: body.page * 25, page: body.page, day: todayIn("UTC") } }];
        return HttpResponse.json({ book: reading[0], day: {}, startMoved: false });
      }),
      http.delete("*/api/books/8/days/:day", () => {
        sent.push("deleted");
        reading = [book];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const user = open();
    const note = await screen.findByRole("button", { name: "Note where you are in Trust" });
    expect(note.getAttribute("aria-expanded")).toBe("false");
    await user.click(note);
    const field = await screen.findByRole("textbox", { name: /^Where you are/ });
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await user.type(field, "220{Enter}");
    expect(await screen.findByText("Page 220 of 400")).toBeTruthy();
    expect(await screen.findByText(/^Noted: /)).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: /^Where you are/ })).toBeNull();
    expect(document.activeElement).toBe(note);
    await user.click(note);
    await user.click(await screen.findByRole("button", { name: "10 pages on: page 230" }));
    expect(await screen.findByText("Page 230 of 400")).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Page 200 of 400")).toBeTruthy();
    expect(sent).toEqual([{ page: 220 }, { page: 230 }, "deleted"]);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Reading now"));
  });

  it("a book that is paused behind the dots leaves the strip", async () => {
    reading = [OPEN];
    server.use(
      http.patch("*/api/books/8", () => {
        reading = [{ ...OPEN, pausedSince: "2024-07-02" }];
        return HttpResponse.json({ book: reading[0] });
      }),
    );
    const user = open();
    await user.click(await screen.findByRole("button", { name: "More for Trust" }));
    await user.click(await screen.findByRole("menuitem", { name: "Pause" }));
    await waitFor(() => expect(screen.queryByText("Reading now")).toBeNull());
    expect(document.activeElement?.id).toBe("main");
  });

  it("what waits in the browser is listed, and a read whose end waits is not open any more", async () => {
    reading = [OPEN, { ...OPEN, id: 9, title: "Momo" }];
    const at = Date.now();
    const change = { status: "completed", dateCompleted: "2024-07-01", rating: 8 };
    const entry = { kind: "finish", book: { id: 8, title: "Trust" }, change, key: "k", at, day: "2024-07-01" };
    localStorage.setItem(entryKey(NORA.id, at, "k"), JSON.stringify(entry));
    open();
    const waiting = within(await screen.findByRole("region", { name: "1 note waits here" }));
    expect(waiting.getByRole("button", { name: "Take back: Finished Trust, rated 8" })).toBeTruthy();
    const strip = within(screen.getByRole("region", { name: "Reading now" }));
    expect(strip.getAllByRole("link").map((link) => link.textContent)).toEqual(["Momo"]);
    await userEvent.click(waiting.getByRole("button", { name: "Take back: Finished Trust, rated 8" }));
    await waitFor(() => expect(strip.getAllByRole("link")).toHaveLength(2));
  });

  it("is left out when nothing is being read", async () => {
    open();
    await screen.findByRole("link", { name: "Edit Emma" });
    expect(screen.queryByText("Reading now")).toBeNull();
  });

  it("is finished today in four clicks, with its start as a span", async () => {
    reading = [OPEN];
    const sent: unknown[] = [];
    server.use(
      http.patch("*/api/books/8", async ({ request }) => {
        sent.push(await request.json());
        reading = [];
        return HttpResponse.json({ book: { ...OPEN, status: "completed" } });
      }),
    );
    const user = open();
    await user.click(await screen.findByRole("button", { name: "More for Trust" }));
    await user.click(await screen.findByRole("menuitem", { name: "Finish" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Finish “Trust”" }));
    await user.click(dialog.getByRole("radio", { name: "9" }));
    await user.click(dialog.getByRole("button", { name: "Finish" }));
    expect(await screen.findByText("Book finished")).toBeTruthy();
    expect(sent).toEqual([
      {
        status: "completed",
        startDate: "2024-06-03",
        dateCompleted: new Date().toISOString().slice(0, 10),
        rating: 9,
        wordDistribution: "final",
      },
    ]);
    await waitFor(() => expect(screen.queryByText("Reading now")).toBeNull());
    expect(document.activeElement?.id).toBe("main");
  });

  it("asks for a rating, and keeps the dialog when the server refuses", async () => {
    reading = [TRUST];
    server.use(http.patch("*/api/books/8", () => HttpResponse.json({ error: "Not now.", code: "x" }, { status: 409 })));
    const user = open();
    await user.click(await screen.findByRole("button", { name: "More for Trust" }));
    await user.click(await screen.findByRole("menuitem", { name: "Finish" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Finish “Trust”" }));
    await user.click(dialog.getByRole("button", { name: "Finish" }));
    expect(await dialog.findByText("The rating is required.")).toBeTruthy();
    await user.click(dialog.getByRole("radio", { name: "0" }));
    await user.click(dialog.getByRole("button", { name: "Finish" }));
    expect(await screen.findByText("Not now.")).toBeTruthy();
    expect(screen.getByRole("dialog", { name: "Finish “Trust”" })).toBeTruthy();
  });
});

describe("have I read this?", () => {
  const answers = async () => within(await screen.findByRole("region", { name: "In your library and on your TBR" }));

  it("is answered under the field by title, with the day", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "emm");
    const found = await answers();
    const link = await found.findByRole("link", { name: "Emma Jane Austen" });
    expect(link.getAttribute("href")).toBe("/book/7");
    expect(found.getByText("read Jun 16, 2024")).toBeTruthy();
  });

  it("is answered with a rough date as one", async () => {
    const rough = { dateCompleted: "2020-05-31", completedFrom: "2020-03-01" };
    const emma = { id: 7, title: "Emma", author: "Jane Austen", status: "completed", work: 7, ...rough };
    server.use(http.get("*/api/books/titles", () => HttpResponse.json({ data: [emma] })));
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "emm");
    expect(await (await answers()).findByText("read Mar – May 2020")).toBeTruthy();
  });

  it("is answered by author, the to-be-read list included, and leads to all books of the author", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "austen");
    const found = await answers();
    expect(await found.findByText("No. 2 on your TBR")).toBeTruthy();
    expect(found.getByRole("link", { name: "Emma Jane Austen" })).toBeTruthy();
    await user.click(found.getByRole("button", { name: "Jane Austen" }));
    expect(window.location.search).toBe("?authors=Jane+Austen");
    expect(screen.queryByRole("region", { name: "In your library and on your TBR" })).toBeNull();
  });

  it("says when there is no such book", async () => {
    const user = open();
    await screen.findByRole("link", { name: "Edit Emma" });
    await user.type(screen.getByRole("searchbox", { name: "Search titles" }), "zzz");
    expect(await screen.findByText("Nothing called “zzz” in your library or on your TBR.")).toBeTruthy();
  });
});

describe("a long table", () => {
  const library = (size: number) => {
    const all = Array.from({ length: size }, (_, at) => ({ ...EMMA, id: at + 1, title: `Book ${at + 1}` }));
    server.use(
      http.get("*/api/books", ({ request }) => {
        const query = new URL(request.url).searchParams;
        const from = Number(query.get("cursor") ?? 0);
        const to = from + Number(query.get("limit"));
        const nextCursor = to < size ? String(to) : null;
        return HttpResponse.json({
          data: all.slice(from, to),
          total: size,
          limitedToMonths: null,
          matching: size,
          nextCursor,
        });
      }),
    );
  };

  it("ends after 25 rows, and goes on by fifty or to its end", async () => {
    library(120);
    const user = open();
    expect(await screen.findByText("25 of 120 books")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "50 more" }));
    expect(await screen.findByText("75 of 120 books")).toBeTruthy();
    expect(screen.getByRole("button", { name: "45 more" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "All 120 books" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "45 more" }));
    await waitFor(() => expect(screen.queryByText(/of 120 books/)).toBeNull());
    cleanup();
    // The number of rows stays with the page, to which the reader comes back from a book.
    open();
    await screen.findByText("2 books tracked");
    expect(screen.queryByText(/of 120 books/)).toBeNull();
  });

  it("shows all rows at once on request, and a new filter begins with 25 again", async () => {
    library(120);
    const user = open();
    await user.click(await screen.findByRole("button", { name: "All 120 books" }));
    await waitFor(() => expect(screen.queryByText(/of 120 books/)).toBeNull());
    await user.click(screen.getByRole("button", { name: "Genres" }));
    await user.click(await screen.findByRole("checkbox", { name: /Classics/ }));
    expect(await screen.findByText("25 of 120 books")).toBeTruthy();
  });

  it("has links to the series and the tags at its head", async () => {
    open();
    const region = within(await screen.findByRole("region", { name: "Books" }));
    expect(region.getByRole("link", { name: "Series" }).getAttribute("href")).toBe("/series");
    expect(region.getByRole("link", { name: "Tags" }).getAttribute("href")).toBe("/tags");
  });
});

it("the menu of views is drawn with the page", async () => {
  server.use(
    http.get("*/api/views", async () => {
      await delay(100);
      return HttpResponse.json({ data: [{ name: "Audio only", query: "formats=Audio", position: 0 }] });
    }),
  );
  open();
  await screen.findByRole("link", { name: "Emma" });
  expect(screen.getByRole("button", { name: "View: All books" })).toBeTruthy();
});

it("a title in the table leads to its book", async () => {
  open();
  const link = await screen.findByRole("link", { name: "Emma" });
  expect(link.getAttribute("href")).toBe("/book/7");
});

it("books are filtered by their status", async () => {
  const user = open();
  await screen.findByRole("link", { name: "Edit Emma" });
  await user.click(screen.getByRole("button", { name: "More" }));
  await user.click(await screen.findByText("Status"));
  await user.click(await screen.findByRole("checkbox", { name: "No Date" }));
  await waitFor(() => expect(asked.at(-1)?.getAll("status")).toEqual(["undated"]));
  expect(window.location.search).toBe("?status=undated");
  await user.click(screen.getByRole("checkbox", { name: "In Progress" }));
  await waitFor(() => expect(asked.at(-1)?.getAll("status")).toEqual(["undated", "in-progress"]));
});

it("many genres are folded into one, until the reader asks for all", async () => {
  const genres = Array.from({ length: 60 }, (_, at) => ({ name: `Genre ${at}`, words: 1_000 - at, books: 1 }));
  stats = () => ({ ...STATS, genres });
  const user = open();
  expect(await screen.findByText("Other genres (55)")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show all 60 genres" }));
  expect(screen.queryByText("Other genres (55)")).toBeNull();
  // The table for screen readers always has all of them.
  const table = screen.getByRole("table", { name: "Genre distribution by books" });
  expect(within(table).getAllByRole("row")).toHaveLength(61);
});

it("twenty years are drawn by year, until the reader asks for months", async () => {
  const monthlyWords = Array.from({ length: 240 }, (_, at) => ({
    month: `${2005 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
    words: at === 100 ? 90_000 : 1_000,
    books: 1,
    aboutWords: 0,
  }));
  stats = () => ({ ...STATS, monthlyWords });
  const user = open();
  expect(await screen.findByText("Most in 2013. The dashed line is the mean, 16.5K a year.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Months" }));
  expect(screen.getByText("Most in May 2013. The dashed line is the mean, 1.4K a month.")).toBeTruthy();
});

it("the table of months leaves out those in which nothing was read", async () => {
  const month = (month: string, words: number) => ({ month, words, books: 0, aboutWords: 0 });
  stats = () => ({ ...STATS, monthlyWords: [month("2024-01", 900), month("2024-02", 0), month("2024-03", 300)] });
  open();
  const table = await screen.findByRole("table", { name: "Words per month" });
  expect(
    within(table)
      .getAllByRole("rowheader")
      .map((cell) => cell.textContent),
  ).toEqual(["2024-01", "2024-03"]);
});

it("the genres of all books of a filter are changed at once", async () => {
  window.history.replaceState(null, "", "/dashboard?minRating=8");
  const sent: unknown[] = [];
  server.use(
    http.patch("*/api/books", async ({ request }) => {
      sent.push([new URL(request.url).search, await request.json()]);
      return HttpResponse.json({ changed: 2 });
    }),
  );
  const user = open();
  await user.click(await screen.findByRole("button", { name: "Change books" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change 2 books" }));
  await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
  expect(await dialog.findByText("Name a genre to add or to remove.")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: "Add genres" }), "Science Fiction");
  await user.type(dialog.getByRole("textbox", { name: "Remove genres" }), "class");
  await user.click(await dialog.findByRole("button", { name: "Classics" }));
  await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
  expect(await screen.findByText("Genres changed")).toBeTruthy();
  expect(sent).toEqual([["?minRating=8", { addGenres: ["Science Fiction"], removeGenres: ["Classics"] }]]);
});

it("books of a filter without words get words from their pages and by hand", async () => {
  window.history.replaceState(null, "", "/dashboard?minRating=8");
  const sent: unknown[] = [];
  server.use(
    http.patch("*/api/books", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ changed: 0, words: 2 });
    }),
  );
  const user = open();
  await user.click(await screen.findByRole("button", { name: "Change books" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change 2 books" }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "What to change" }), "Missing word counts");
  const typed = dialog.getByRole("textbox", { name: "Words for books without words" });
  await user.type(typed, "many");
  await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
  expect(await dialog.findByText("Type how many words, at least 1.")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.clear(typed);
  await user.type(typed, "80,000");
  await user.click(dialog.getByRole("checkbox", { name: "Give books without words 275 words a page" }));
  await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
  expect(await screen.findByText("Words filled in")).toBeTruthy();
  expect(sent).toEqual([{ wordsFromPages: true, words: 80_000 }]);
});

it("books in progress of a filter go back to the list, and the notice leads to the undo", async () => {
  window.history.replaceState(null, "", "/dashboard?minRating=8");
  const sent: unknown[] = [];
  server.use(
    http.patch("*/api/books", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ changed: 2 });
    }),
  );
  const user = open();
  await user.click(await screen.findByRole("button", { name: "Change books" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change 2 books" }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "What to change" }), "Books in progress");
  await user.click(dialog.getByRole("radio", { name: "Move them back to your TBR" }));
  await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
  expect(await screen.findByText("Moved back to your TBR")).toBeTruthy();
  expect(screen.getByRole("link", { name: "history" }).getAttribute("href")).toBe("/import/history");
  expect(sent).toEqual([{ status: "tbr" }]);
});

it("books of a filter are kept from everyone else at once, and shown again", async () => {
  window.history.replaceState(null, "", "/dashboard?minRating=8");
  const sent: unknown[] = [];
  server.use(
    http.patch("*/api/books", async ({ request }) => {
      sent.push([new URL(request.url).search, await request.json()]);
      return HttpResponse.json({ changed: 2 });
    }),
  );
  const user = open();
  for (const [who, done] of [
    ["Only me", "Only you see them now"],
    ["Also those I share with", "No longer only for you"],
  ] as const) {
    await user.click(await screen.findByRole("button", { name: "Change books" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Change 2 books" }));
    await user.selectOptions(dialog.getByRole("combobox", { name: "What to change" }), "Who sees them");
    await user.click(dialog.getByRole("radio", { name: who }));
    await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
    expect(await screen.findByText(done)).toBeTruthy();
    expect(screen.getByRole("link", { name: "history" }).getAttribute("href")).toBe("/import/history");
  }
  expect(sent).toEqual([
    ["?minRating=8", { private: true }],
    ["?minRating=8", { private: false }],
  ]);
});

it("books of a filter without words and pages get both from the catalogue on the server", async () => {
  window.history.replaceState(null, "", "/dashboard?minRating=8");
  const sent: unknown[] = [];
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ offlineCatalogue: true })),
    http.patch("*/api/books", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ changed: 0, words: 1 });
    }),
  );
  const user = open();
  await user.click(await screen.findByRole("button", { name: "Change books" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change 2 books" }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "What to change" }), "Missing word counts");
  await user.click(await dialog.findByRole("checkbox", { name: /^Give books without words and pages both/ }));
  await user.click(dialog.getByRole("button", { name: "Change 2 books" }));
  expect(await screen.findByText("Words filled in")).toBeTruthy();
  expect(sent).toEqual([{ wordsFromCatalogue: true }]);
});

it("without a filter there is nothing to change the genres of", async () => {
  open();
  await screen.findByRole("link", { name: "Edit Emma" });
  expect(screen.queryByRole("button", { name: "Change books" })).toBeNull();
});

describe("other libraries", () => {
  it("without a book: three ways to start, and no data in any chart", async () => {
    stats = () => ({ ...NOTHING, library: { total: 0, visible: 0, limitedToMonths: null } });
    open();
    expect(await screen.findByText("0 books tracked")).toBeTruthy();
    for (const name of ["Add Book", "Import CSV", "Add to TBR"])
      expect(await screen.findByRole("link", { name })).toBeTruthy();
    expect(screen.getAllByText("No data available")).toHaveLength(4);
  });

  it("of a free reader: two locked charts, and a banner over the table", async () => {
    stats = () => ({
      ...STATS,
      authors: null,
      formats: null,
      library: { total: 1_200, visible: 2, limitedToMonths: 11 },
      locked: ["author_analytics", "format_analytics"],
    });
    open();
    expect(await screen.findByText(/ranks the authors .* eBook, audiobook and physical formats/)).toBeTruthy();
    expect(screen.getByText(/last 11 months\)\. Upgrade to see all 1,200 books\./)).toBeTruthy();
    for (const link of screen.getAllByRole("link", { name: "Upgrade" })) {
      expect(link.getAttribute("href")).toBe("/pricing");
    }
  });

  it("a search that fails keeps the page with the last answer, and another try", async () => {
    const user = open();
    const cell = (name: string) => screen.findByRole("cell", { name });
    expect(await cell("Emma")).toBeTruthy();
    const down = () => HttpResponse.json({ error: "Down" }, { status: 502 });
    server.use(http.get("*/api/dashboard", down));
    await user.type(screen.getByLabelText("Search titles"), "tr");
    const alert = await screen.findByText(/could not be filtered. Showing all your books./);
    expect(await cell("Emma")).toBeTruthy();
    expect(screen.getByLabelText("Search titles")).toHaveProperty("value", "tr");
    server.resetHandlers();
    books = () => [TRUST];
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(alert.isConnected).toBe(false));
    expect(screen.queryByRole("cell", { name: "Emma" })).toBeNull();
  });

  it("that cannot be fetched: an apology, and another try", async () => {
    server.use(http.get("*/api/stats", () => HttpResponse.json({ error: "Down" }, { status: 503 })));
    const user = open();
    expect(await screen.findByText("Error Loading Dashboard")).toBeTruthy();
    server.resetHandlers();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("2 books tracked")).toBeTruthy();
  });
});
