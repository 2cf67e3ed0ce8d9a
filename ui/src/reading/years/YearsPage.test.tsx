import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { Review, ShelfBook } from "../../kit/api/types";
import { ANSWERS, NORA, renderAs } from "../../test-reader";
import YearsPage from "./YearsPage";

const BOOK: ShelfBook = {
  id: 1,
  title: "Emma",
  author: "Jane Austen",
  wordCount: 160_000,
  rating: 8,
  format: "Print",
  genres: ["Classics"],
  startDate: null,
  date: "2011-03-20",
  completedFrom: null,
  reread: false,
};
const MOMO = { ...BOOK, id: 2, title: "Momo", author: "Michael Ende", rating: null, wordCount: 60_000 };
const DUNE = { ...BOOK, id: 3, title: "Dune", author: "Frank Herbert", rating: 9.5, wordCount: 200_000 };

const NO_TOTALS = { books: 0, titles: 0, words: 0, pages: 0, minutes: 0, rereads: 0, notFinished: 0, daysRead: 0 };
const EMPTY: Review = {
  period: "2011",
  complete: true,
  shown: "all",
  limitedToMonths: null,
  totals: NO_TOTALS,
  before: NO_TOTALS,
  months: Array.from({ length: 12 }, (_, i) => ({
    month: `2011-${String(i + 1).padStart(2, "0")}`,
    words: i === 2 ? 420_000 : 0,
    books: 0,
    aboutWords: 0,
  })),
  otherWords: [],
  wordsOutsideMonths: 0,
  shelf: [],
  longest: null,
  shortest: null,
  fastest: null,
  first: null,
  last: null,
  best: [],
  genres: [],
  authors: [],
  newAuthors: [],
  formats: [],
  ratings: [],
  averageRating: null,
  streak: null,
  missing: { date: 0, words: 0, rating: 0 },
};
const THREE: Review = {
  ...EMPTY,
  totals: { ...NO_TOTALS, books: 3, titles: 3, words: 420_000, rereads: 1, notFinished: 1 },
  before: { ...NO_TOTALS, books: 1, titles: 1, words: 200_000 },
  shelf: [BOOK, MOMO, DUNE],
  longest: DUNE,
  shortest: MOMO,
  fastest: { ...DUNE, wordsPerDay: 25_000 },
  first: BOOK,
  last: DUNE,
  best: [DUNE, BOOK],
  ratings: [
    { rating: 8, books: 1 },
    { rating: 9.5, books: 1 },
  ],
  averageRating: 8.8,
  newAuthors: ["Jane Austen", "Michael Ende"],
  formats: [
    { format: "Audio", words: 300_000, books: 1, minutes: 0 },
    { format: "Print", words: 120_000, books: 2, minutes: 0 },
  ],
  missing: { date: 14, words: 0, rating: 1 },
  otherWords: [{ period: "2012", words: 12_000 }],
};

let review = EMPTY;
const server = setupServer(
  http.get("*/api/review", ({ request }) => {
    const period = new URL(request.url).searchParams.get("period") ?? "";
    return HttpResponse.json(period === "2011" ? review : { ...EMPTY, period });
  }),
  http.get("*/api/stats/options", () =>
    HttpResponse.json({ genres: [{ name: "Classics", words: 1, books: 1 }], authors: [], formats: [] }),
  ),
  ...ANSWERS,
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function show(of: Review, path = "/years/2011") {
  review = of;
  const { hook } = memoryLocation({ path });
  renderAs(
    NORA,
    <Router hook={hook}>
      <Route path="/years/:period" component={YearsPage} />
    </Router>,
  );
}

it("an empty year says so and leads to the books without a date", async () => {
  show({ ...EMPTY, missing: { ...EMPTY.missing, date: 14 } });
  expect(await screen.findByText("Nothing was finished in 2011, as far as this library knows.")).toBeTruthy();
  const link = screen.getByRole("link", { name: "14 books have no date" });
  expect(link.getAttribute("href")).toBe("/dashboard?status=undated");
  expect(screen.queryByRole("button", { name: "Save a picture" })).toBeNull();
});

it("a year with two books shows the books and no rankings", async () => {
  show({ ...THREE, totals: { ...NO_TOTALS, books: 2, words: 220_000 }, shelf: [BOOK, MOMO] });
  expect(await screen.findByText("Two books, 220,000 words.")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Emma" }).length).toBeGreaterThan(0);
  expect(screen.getByText("60,000 words, Mar 20, 2011")).toBeTruthy();
  for (const absent of ["The best", "What is missing", "Ratings"]) expect(screen.queryByText(absent)).toBeNull();
});

/** What is below the label of a figure: its value and its notes. */
const figure = (label: string) =>
  [...(screen.getByText(label, { selector: "dt" }).parentElement?.querySelectorAll("dd") ?? [])].map(
    (one) => one.textContent,
  );

it("a year with three books has its figures with those of the year before in their notes", async () => {
  show(THREE);
  expect(await screen.findByText("1 in 2010")).toBeTruthy();
  expect(figure("Books")).toEqual(["3", "1 in 2010"]);
  expect(figure("Words")).toEqual(["420.0K", "200.0K in 2010"]);
  expect(figure("Avg Rating")).toEqual(["8.8", "2 rated"]);
  expect(figure("Rereads")).toEqual(["1", "0 in 2010"]);
  expect(figure("New authors")).toEqual(["2", "of 3"]);
  // Nothing was noted by day.
  expect(screen.queryByText("Days read")).toBeNull();
  expect(screen.getByText("25,000 words a day")).toBeTruthy();
  const months = screen.getByRole("figure", { name: "Month by month" });
  expect(months.textContent).toContain("Of these words 12,000 belong to books finished in 2012.");
});

it("what fewer readers ask is folded: pace, length, outcomes, new authors and ways to what is missing", async () => {
  show({ ...THREE, newAuthors: Array.from({ length: 12 }, (_, at) => `Author ${at}`) });
  expect(await screen.findByText("Length, outcomes, 12 new authors, what is missing")).toBeTruthy();
  expect(screen.queryByRole("figure", { name: "Length" })).toBeNull();
  await userEvent.click(screen.getByText("More about 2011"));
  expect((await screen.findByRole("figure", { name: "Outcomes" })).textContent).toContain("1 of 4 not finished.");
  expect(screen.getByRole("figure", { name: "Length" })).toBeTruthy();
  expect(screen.queryByText("Author 10")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "2 more" }));
  expect(screen.getByText("Author 11")).toBeTruthy();
  expect(document.activeElement?.textContent).toBe("12 new authors");
  const missing = screen.getByRole("region", { name: "What is missing" });
  expect(within(missing).getByRole("link", { name: "Give them one" }).getAttribute("href")).toBe(
    "/dashboard?status=undated",
  );
  expect(within(missing).getByText(/^1 book has no rating/)).toBeTruthy();
  expect(within(missing).getByRole("link", { name: "Rate it" }).getAttribute("href")).toBe(
    "/add-book?tab=edit&bookId=2",
  );
});

it("the days read say since when days are noted", async () => {
  server.use(
    http.get("*/api/calendar", () =>
      HttpResponse.json({
        year: 2011,
        days: [{ day: "2011-08-04", words: 1, pages: null, minutes: null, books: [1] }],
        finished: [],
        streak: null,
      }),
    ),
  );
  show({ ...THREE, totals: { ...THREE.totals, daysRead: 76 } });
  expect(await screen.findByText("since August 4")).toBeTruthy();
  expect(figure("Days read")).toEqual(["76", "since August 4"]);
});

it("what the plan hides is said, and nothing else is shown", async () => {
  show({ ...EMPTY, shown: "none", limitedToMonths: 11 });
  const text = "Your plan shows the last 11 months. 2011 is kept, and shown with Shelfwise Plus.";
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByText(/Nothing was finished/)).toBeNull();
});

it("an address that names no year leads to this one", async () => {
  show(EMPTY, "/years/soon");
  expect(await screen.findByText("This address names no year.")).toBeTruthy();
});

it("a browser without a canvas reads why there is no picture", async () => {
  show(THREE);
  await userEvent.click(await screen.findByRole("button", { name: "Save a picture" }));
  const text = "This browser does not let pages draw pictures. Save the page as PDF instead.";
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save picture" }).disabled).toBe(true);
});
